// SPDX-License-Identifier: Apache-2.0
// node round-trip.js HOST:PORT TOPIC: writes a hundred records with kafkajs, reads them in a group.
const { Kafka, CompressionTypes, logLevel } = require("kafkajs");

const [broker, topic] = process.argv.slice(2);
const kafka = new Kafka({ clientId: "round-trip", brokers: [broker], logLevel: logLevel.ERROR });
const wanted = 100;

async function main() {
  const producer = kafka.producer();
  await producer.connect();
  const messages = Array.from({ length: wanted }, (_, n) => ({
    key: `k${n}`,
    value: `v${n}`,
    headers: { n: `${n}` },
  }));
  await producer.send({ topic, compression: CompressionTypes.GZIP, messages });
  await producer.disconnect();

  const consumer = kafka.consumer({ groupId: `${topic}-group` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const seen = new Set();
  await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`only ${seen.size} of ${wanted}`)), 40000).unref();
    consumer
      .run({
        eachMessage: async ({ message }) => {
          if (message.value.toString().slice(1) !== message.headers.n.toString()) {
            reject(new Error(`header of ${message.value}`));
          }
          seen.add(message.value.toString());
          if (seen.size === wanted) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  const end = offsets.reduce((sum, p) => sum + Number(p.offset), 0);
  await admin.disconnect();
  console.log(`read back ${seen.size} of ${end}`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
