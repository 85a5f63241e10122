/**
 * <b>Purpose.</b> Dynamic configurations of topics, brokers, client-metrics subscriptions and
 * groups.
 *
 * <p><b>Threads.</b> Pure functions; any thread.
 */
package io.oxbow.controller.config;
