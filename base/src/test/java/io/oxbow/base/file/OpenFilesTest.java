// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenFilesTest {
    private final List<String> gone = new ArrayList<>();
    private final OpenFiles open = new OpenFiles(3);

    private final class RecordingFile implements OpenFiles.Held {
        private final String name;
        private boolean used;

        RecordingFile(String name) {
            this.name = name;
        }

        @Override
        public boolean takeUsed() {
            boolean was = used;
            used = false;
            return was;
        }

        @Override
        public void letGo() {
            gone.add(name);
        }
    }

    private RecordingFile opened(String name) {
        RecordingFile file = new RecordingFile(name);
        open.opened(file);
        return file;
    }

    @Test
    void shouldLetTheOldestGoForOneMore() {
        for (String name : List.of("a", "b", "c", "d", "e")) opened(name);
        assertEquals(List.of("a", "b"), gone);
        assertEquals(3, open.count());
    }

    @Test
    void shouldKeepWhatIsUsed() {
        RecordingFile a = opened("a");
        opened("b");
        opened("c");
        a.used = true;
        opened("d");
        assertEquals(List.of("b"), gone);
        opened("e");
        assertEquals(List.of("b", "c"), gone, "and once it is no longer used, it goes in turn");
        opened("f");
        assertEquals(List.of("b", "c", "a"), gone);
    }

    @Test
    void shouldForgetWhatIsClosed() {
        RecordingFile a = opened("a");
        opened("b");
        opened("c");
        open.closed(a);
        opened("d");
        assertEquals(List.of(), gone);
    }

    @Test
    void shouldLetIdleOnesGoFirstWhenDescriptorsAreNeeded() {
        opened("a").used = true;
        opened("b");
        opened("c").used = true;
        assertEquals(1, open.letGo(1));
        assertEquals(List.of("b"), gone);
        assertEquals(2, open.letGo(5));
        assertEquals(0, open.letGo(5));
    }
}
