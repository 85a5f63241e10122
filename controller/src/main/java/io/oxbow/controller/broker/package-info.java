/**
 * <b>Purpose.</b> Brokers: registration, heartbeats, fencing, shutting down, leaving.
 *
 * <p><b>Owns.</b> {@link io.oxbow.controller.broker.Liveness}, the soft state of who was heard from
 * when; everything else is in the image.
 *
 * <p><b>Threads.</b> Deciders are pure; {@code Liveness} belongs to {@code oxbow-controller}.
 */
package io.oxbow.controller.broker;
