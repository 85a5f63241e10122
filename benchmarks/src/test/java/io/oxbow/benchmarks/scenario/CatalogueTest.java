// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {

    @Test
    void shouldRunWarmScenariosBeforeThoseWithProcessesOfTheirOwn() {
        List<Boolean> kinds = Catalogue.all().stream().map(Scenario::isWarm).toList();

        assertEquals(kinds.lastIndexOf(true) + 1, kinds.indexOf(false));
    }

    @Test
    void shouldHaveTheWholeProduceGridOnceAndItsAimedCellsInEveryScale() {
        List<Scenario> produce = Catalogue.named("produce");
        long aimed = produce.stream().filter(CatalogueTest::isAimed).count();

        assertEquals(2 * 3 * 2 * 2 * 3, produce.size());
        assertEquals(5, aimed);
        assertTrue(
                Catalogue.of(Effort.Scale.QUICK)
                        .containsAll(produce.stream().filter(CatalogueTest::isAimed).toList()));
    }

    @Test
    void shouldFindByWholeNameBeforePrefix() {
        assertEquals(1, Catalogue.named("fsync-1p").size());
        assertEquals(2, Catalogue.named("fsync").size());
        assertTrue(Catalogue.named("nothing").isEmpty());
    }

    @Test
    void shouldExtrapolateTheCostOfARequestToZeroBytes() {
        RequestCost.Cost small = new RequestCost.Cost(16_000, 10 + 16, 1);
        RequestCost.Cost large = new RequestCost.Cost(128_000, 10 + 128, 1);

        assertEquals(10, small.atZeroBytes(large), 1e-9);
        assertEquals(26 / 16.0, small.perGigabyte(), 1e-9);
    }

    private static boolean isAimed(Scenario scenario) {
        return scenario.figures().stream().map(Figure::aim).anyMatch(aim -> aim.isPresent());
    }
}
