// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.oxbow.base.time.SystemClock;
import org.junit.jupiter.api.Test;

class ConnectionHandlerTest {
    private static final long NOTHING_SCHEDULED = -1;

    @Test
    void shouldLetGoOfAConnectionWhenItCloses() {
        EmbeddedChannel channel = new EmbeddedChannel();
        NetContext context =
                new NetContext(NetConfig.DEFAULTS, new RequestMemory(0), SystemClock.INSTANCE);
        Connection connection =
                new Connection(channel, "PLAINTEXT", new RecordingFrameHandler(), context);
        channel.pipeline().addLast(new ConnectionHandler(connection, 600_000));
        channel.pipeline().fireChannelActive();
        assertTrue(channel.runScheduledPendingTasks() > 0, "the check for idleness waits");

        var _ = channel.close();
        assertEquals(NOTHING_SCHEDULED, channel.runScheduledPendingTasks());
    }
}
