/**
 * <b>Purpose.</b> The active controller: it decides over the cluster's image and lets raft commit
 * what it decided. Its replicated state is a {@code MetadataImage}; a decision is a function of an
 * image and a request that gives records and a reply.
 *
 * <p><b>Owns.</b> The working image (with records that are prepared and not yet committed), the
 * replies that wait for a commit, and which broker was heard from when.
 *
 * <p><b>Threads.</b> Everything here belongs to {@code oxbow-controller}; others reach it through
 * {@link io.oxbow.controller.Controller#gateway}.
 *
 * <p><b>Depends on / must not depend on.</b> {@code metadata}, {@code kafka-metadata} for records
 * and images, {@code kafka-raft} for the log. Never on {@code kafka-metadata}'s own controller
 * classes ({@code org.apache.kafka.controller}).
 *
 * <p><b>Read first.</b> {@link io.oxbow.controller.decide.Decision}, {@link
 * io.oxbow.controller.Controller}, docs/internals/controller.md.
 */
package io.oxbow.controller;
