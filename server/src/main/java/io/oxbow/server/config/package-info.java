// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Configuration: a Kafka {@code server.properties} with our {@code oxbow.*} keys
 * beside Kafka's, checked as a whole before anything starts; and the catalogue of all keys that
 * DescribeConfigs shows and AlterConfigs is held to.
 *
 * <p><b>Owns.</b> {@link io.oxbow.server.config.BrokerConfig} is the only class that touches
 * Kafka's {@code AbstractKafkaConfig}; {@link io.oxbow.server.config.OxbowKeys} defines our own
 * keys; {@link io.oxbow.server.config.KeySupport} says which of Kafka's keys we cannot honour.
 *
 * <p><b>Threads.</b> Everything is immutable or a pure function; any thread.
 *
 * <p><b>Read first.</b> {@link io.oxbow.server.config.BrokerConfig}, {@link
 * io.oxbow.server.config.ConfigProblem}, {@link io.oxbow.server.config.ConfigCatalog}.
 */
package io.oxbow.server.config;
