/**
 * <b>Purpose.</b> The words that every decider speaks: what it sees ({@link
 * io.oxbow.controller.decide.Situation}), what it gives ({@link
 * io.oxbow.controller.decide.Decision}), and how it refuses ({@link
 * io.oxbow.controller.decide.Refusal}).
 *
 * <p><b>Threads.</b> Immutable values; any thread.
 */
package io.oxbow.controller.decide;
