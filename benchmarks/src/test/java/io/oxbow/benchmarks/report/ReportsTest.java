// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Lab;
import io.oxbow.benchmarks.frame.Result;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Peer;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class ReportsTest {

    private static final Setup SETUP =
            new Setup("oxbow bench \"a<b\"", "2 x CPU", "2026-01-01T00:00:00Z", List.of());
    private static final Result RESULT =
            new Result(
                    new Two(),
                    Map.of(
                            Peer.OXBOW,
                            List.of(Map.of("cost s", 1.0, "rate/s", 9.0)),
                            Peer.KAFKA,
                            List.of(Map.of("cost s", 4.0, "rate/s", 0.0))),
                    0.5);

    @Test
    void shouldPrintEveryFigureWithItsAimAndVerdict() {
        String text = TextReport.of(SETUP, List.of(RESULT));

        assertTrue(text.contains("0.25 (0.25 .. 0.25)"), text);
        assertTrue(text.contains("ratio <= 0.5   reached"), text);
        assertTrue(text.contains("others used up to 0.5 processors"), text);
        assertTrue(text.contains("1 of 1 aims reached"), text);
    }

    @Test
    void shouldWriteJsonThatAParserTakesWithNullWhereThereIsNoRatio() throws Exception {
        JsonNode json = new ObjectMapper().readTree(JsonReport.of(SETUP, List.of(RESULT)));

        JsonNode figures = json.get("scenarios").get(0).get("figures");
        assertEquals("oxbow bench \"a<b\"", json.get("command").asText());
        assertEquals(0.25, figures.get(0).get("ratio").asDouble());
        assertTrue(figures.get(0).get("reached").asBoolean());
        assertTrue(figures.get(1).get("ratio").isNull());
        assertEquals(9, figures.get(1).get("runs").get("oxbow").get(0).asDouble());
    }

    @Test
    void shouldWriteAPageThatIsWellFormedAndNeedsNoOtherFile() {
        String page = HtmlReport.of(SETUP, List.of(RESULT));

        assertDoesNotThrow(() -> parse(page));
        assertFalse(page.contains("src=") || page.contains("href="), page);
        assertFalse(page.contains("NaN\""), page);
    }

    /** The page is written so that it is XML too, but for two tags that HTML leaves open. */
    private static void parse(String page) throws Exception {
        String xml =
                page.replace("<!DOCTYPE html>", "")
                        .replaceAll("<meta ([^>]*)>", "<meta $1/>")
                        .replace("<br>", "<br/>");
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)));
    }

    private record Two() implements Scenario {
        @Override
        public String name() {
            return "two";
        }

        @Override
        public String text() {
            return "a < b & c";
        }

        @Override
        public List<Figure> figures() {
            return List.of(Figure.cost("cost s", Aim.ratioAtMost(0.5)), Figure.rate("rate/s"));
        }

        @Override
        public boolean isWarm() {
            return true;
        }

        @Override
        public Session open(Lab lab) {
            throw new UnsupportedOperationException();
        }
    }
}
