// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The direction of the modules and the calls that only {@code base} may make, over the classes of
 * the product (not of tests, testkit and benchmarks).
 */
class ArchitectureTest {

    /** In dependency order: a module may use only those before it. */
    private static final List<String> MODULES =
            List.of(
                    "base",
                    "storage",
                    "metadata",
                    "controller",
                    "replication",
                    "coordination",
                    "net",
                    "server",
                    "cli");

    private static JavaClasses product;

    @BeforeAll
    static void importClasses() {
        product =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(
                                MODULES.stream().map(m -> "io.oxbow." + m).toArray(String[]::new));
    }

    @Test
    void shouldSeeEveryModule() {
        for (String module : MODULES) {
            assertTrue(
                    product.stream().anyMatch(c -> c.getPackageName().startsWith(module(module))),
                    "no class of module " + module);
        }
    }

    @TestFactory
    List<DynamicTest> modulesUseOnlyThoseBeforeThem() {
        return MODULES.stream()
                .map(
                        module ->
                                DynamicTest.dynamicTest(
                                        module, () -> usesOnly(module, allowed(module))))
                .toList();
    }

    private static List<String> allowed(String module) {
        return module.equals("net")
                ? List.of("base", "net")
                : MODULES.subList(0, MODULES.indexOf(module) + 1);
    }

    private static void usesOnly(String module, List<String> allowed) {
        DescribedPredicate<JavaClass> other =
                resideInAnyPackage("io.oxbow..")
                        .and(
                                DescribedPredicate.not(
                                        resideInAnyPackage(
                                                allowed.stream()
                                                        .map(m -> module(m) + "..")
                                                        .toArray(String[]::new))));
        noClasses()
                .that()
                .resideInAPackage(module(module) + "..")
                .should()
                .dependOnClassesThat(other)
                .because("modules depend in one direction, see ARCHITECTURE.md")
                .check(product);
    }

    private static String module(String name) {
        return "io.oxbow." + name;
    }

    @Test
    void nettyStaysInNet() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.oxbow.net..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .because("the network library stays behind module net (ADR 0008)")
                .check(product);
    }

    @Test
    void nobodyUsesScalaOrKafkasBroker() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("scala..", "kafka..")
                .because("Apache Kafka's broker is the oracle, not a part (ADR 0012)")
                .check(product);
    }

    @Test
    void kafkasLogClassesStayOutside() {
        noClasses()
                .that()
                .haveSimpleNameNotEndingWith("LogSettingsFactory")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("org.apache.kafka.storage.internals.log..")
                                .and(
                                        DescribedPredicate.not(
                                                nameMatching(
                                                        ".*\\.(LogConfig|VerificationGuard|LogValidator)"
                                                            + "(\\$.*)?"))))
                .because("the storage engine is ours (ADR 0009, 0012)")
                .check(product);
    }

    @Test
    void raftStaysBehindMetadataTheControllersShellAndTheWiring() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.oxbow.metadata..",
                        "io.oxbow.controller",
                        "io.oxbow.server.config..",
                        "io.oxbow.server.broker..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka.raft..")
                .because("decisions know nothing of the raft library (ADR 0005)")
                .check(product);
    }

    @Test
    void groupCoordinatorStaysBehindCoordination() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.oxbow.coordination..",
                        "io.oxbow.server.handler.group",
                        "io.oxbow.server.broker",
                        "io.oxbow.server.config")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka.coordinator.group..")
                .because("the coordinator library stays behind its adapters (ADR 0007)")
                .check(product);
    }

    @Test
    void onlyBaseReadsTheMachinesClocks() {
        bannedOutsideBase(
                "java\\.lang\\.System\\.(nanoTime|currentTimeMillis)",
                "time comes from io.oxbow.base.time.Clock, so that it can be simulated");
        bannedOutsideBase(
                "java\\.time\\.(Instant|LocalDateTime|ZonedDateTime)\\.now",
                "time comes from io.oxbow.base.time.Clock, so that it can be simulated");
    }

    @Test
    void onlyBaseStartsThreadsAndSleeps() {
        bannedOutsideBase(
                "java\\.lang\\.Thread\\.(start|startVirtualThread|sleep)",
                "threads come from io.oxbow.base.thread.Threads, delays from Scheduler");
        bannedOutsideBase(
                "java\\.util\\.concurrent\\.Executors\\..*",
                "threads come from io.oxbow.base.thread.Threads, delays from Scheduler");
    }

    @Test
    void nobodyMakesChanceByItself() {
        bannedOutsideBase(
                "java\\.lang\\.Math\\.random",
                "chance is injected as a RandomGenerator, so that a run can be replayed");
        noClasses()
                .that()
                .resideOutsideOfPackage("io.oxbow.base..")
                .should()
                .callConstructor(java.util.Random.class)
                .because("chance is injected as a RandomGenerator, so that a run can be replayed")
                .check(product);
    }

    @Test
    void onlyBaseOpensFiles() {
        String reason = "files come from io.oxbow.base.file.FileSystem, so that they can fail";
        bannedOutsideBase("java\\.nio\\.file\\.Files\\..*", reason);
        bannedOutsideBase("java\\.nio\\.channels\\.FileChannel\\.open", reason);
        bannedOutsideBase(
                "java\\.io\\.(FileInputStream|FileOutputStream|RandomAccessFile|FileReader"
                        + "|FileWriter)\\.<init>",
                reason);
    }

    private static void bannedOutsideBase(String call, String replacement) {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.oxbow.base..")
                .should()
                .callCodeUnitWhere(DescribedPredicate.describe(call, made -> isCall(made, call)))
                .because(replacement)
                .check(product);
    }

    private static boolean isCall(JavaAccess<?> made, String call) {
        return made.getTarget().getFullName().matches(call + "\\(.*");
    }

    @Test
    void shouldFindTheBannedCallsWhereTheyAreAllowed() {
        for (String call :
                List.of("java\\.lang\\.System\\.nanoTime", "java\\.nio\\.file\\.Files\\..*")) {
            assertTrue(
                    product.stream()
                            .filter(c -> c.getPackageName().startsWith("io.oxbow.base"))
                            .flatMap(c -> c.getCodeUnitCallsFromSelf().stream())
                            .anyMatch(made -> isCall(made, call)),
                    call + " is called in base");
        }
    }

    @Test
    void classesSayWhatTheyAreNotThatTheyManage() {
        classes()
                .should()
                .haveSimpleNameNotEndingWith("Manager")
                .andShould()
                .haveSimpleNameNotEndingWith("Helper")
                .andShould()
                .haveSimpleNameNotEndingWith("Utils")
                .andShould()
                .haveSimpleNameNotEndingWith("Impl")
                .because("a class is named for what it holds or does")
                .check(product);
    }
}
