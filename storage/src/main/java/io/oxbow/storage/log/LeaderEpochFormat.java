// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.CorruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * {@code leader-epoch-checkpoint}: where each leader epoch began. Text, one value per line:
 *
 * <pre>
 * 0            version
 * 2            number of entries
 * 0 0          leader epoch, start offset
 * 5 1234
 * </pre>
 *
 * Epochs and offsets ascend. Written as a whole and atomically. A file that does not follow this is
 * made anew from the batches.
 */
final class LeaderEpochFormat {
    static final String FILE_NAME = "leader-epoch-checkpoint";
    private static final String VERSION = "0";

    private LeaderEpochFormat() {}

    static byte[] encode(LeaderEpochs epochs) {
        StringBuilder text = new StringBuilder(VERSION).append('\n');
        text.append(epochs.size()).append('\n');
        for (int i = 0; i < epochs.size(); i++) {
            text.append(epochs.epoch(i)).append(' ').append(epochs.start(i)).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a checkpoint.
     *
     * @param path for the message
     * @throws CorruptException if the content is not a whole checkpoint
     */
    static LeaderEpochs decode(byte[] content, Path path) {
        String[] lines = new String(content, StandardCharsets.UTF_8).split("\n", -1);
        try {
            if (!lines[0].equals(VERSION)) throw bad(path, "its version is not 0");
            int count = Integer.parseInt(lines[1]);
            LeaderEpochs epochs = LeaderEpochs.NONE;
            for (int i = 0; i < count; i++) {
                int space = lines[2 + i].indexOf(' ');
                int epoch = Integer.parseInt(lines[2 + i].substring(0, space));
                long start = Long.parseLong(lines[2 + i].substring(space + 1));
                LeaderEpochs next = epochs.assign(epoch, start);
                if (next.size() != i + 1) throw bad(path, "its entries do not ascend");
                epochs = next;
            }
            if (lines.length != count + 3 || !lines[count + 2].isEmpty()) {
                throw bad(path, "it does not hold the entries that it counts");
            }
            return epochs;
        } catch (NumberFormatException | IndexOutOfBoundsException failure) {
            throw bad(path, "it holds something else than numbers");
        }
    }

    private static CorruptException bad(Path path, String why) {
        return new CorruptException(path + " is not a leader epoch checkpoint: " + why);
    }
}
