package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rules of the house that a compiler does not know. Each fault names the place and the remedy.
class ArchitectureTest {
  /// A package may use the packages of the rows above its own; those of one row are strangers to
  /// each other. Another edge is a reviewed change of this table.
  private static final Layers LAYERS =
      new Layers(
          List.of(
              List.of("text"),
              List.of("kotlin"),
              List.of("json", "time", "http", "mount", "process"),
              List.of("check", "toml"),
              List.of("tool"),
              List.of("schema"),
              List.of("memory"),
              List.of("model"),
              List.of("rule"),
              List.of("ruling", "guard"),
              List.of("webhook"),
              List.of("handler"),
              List.of("consent", "command", "rest"),
              List.of("state"),
              List.of("attempt"),
              List.of("execution.host"),
              List.of("execution"),
              List.of("builtin"),
              List.of("loop"),
              List.of("agent"),
              List.of("provider"),
              List.of("openai", "anthropic"),
              List.of("store"),
              List.of("observe"),
              List.of("config"),
              List.of("config.tool", "config.rule"),
              List.of("openapi"),
              List.of(Layers.ROOT)));

  @Test
  void packagesUseOnlyThoseAboveThem(@TempDir Path folder) throws Exception {
    List<Layers.Edge> edges = Layers.edges(LibraryModules.classes(folder));

    assertThat(edges).as("what jdeps found").isNotEmpty();
    assertThat(edges.stream().flatMap(edge -> LAYERS.fault(edge).stream())).isEmpty();
  }

  @Test
  void javaFilesKeepTheHouseRules() throws IOException {
    List<JavaFile> files = JavaFile.all();

    assertThat(files).as("Java files of the repository").hasSizeGreaterThan(5);
    assertThat(files.stream().flatMap(file -> file.faults().stream())).isEmpty();
  }

  @Test
  void noTestDependsOnTheSpeedOfItsMachine() throws IOException {
    List<JavaFile> files = JavaFile.all();

    assertThat(WallClock.RULE.faults(files)).isEmpty();
    assertThat(WallClock.RULE.unneeded(files)).as("exceptions that no file needs").isEmpty();
  }

  @Test
  void theProductReadsNoClockPastItsPort() throws IOException {
    List<JavaFile> files = JavaFile.all();

    assertThat(MachineClock.RULE.faults(files)).isEmpty();
    assertThat(MachineClock.RULE.unneeded(files)).as("exceptions that no file needs").isEmpty();
  }

  @Test
  void refusesWhatReadsTheMachinesClock() {
    for (String code :
        List.of(
            "long now = System.nanoTime();",
            "new RateLimitedLog(System::nanoTime)",
            "System.currentTimeMillis()",
            "Instant.now()",
            "map(Instant::now)",
            "LocalDate.now(zone)",
            "Clock.systemUTC()",
            "new RateLimitedLog(Time.SYSTEM::nanos)")) {
      assertThat(MachineClock.RULE.faults(List.of(product(code))))
          .as(code)
          .singleElement()
          .asString()
          .contains("ATool.java:1", "take a Time");
    }
    for (String code : List.of("time.now()", "// Time.SYSTEM", "Resolver.SYSTEM")) {
      assertThat(MachineClock.RULE.faults(List.of(product(code)))).as(code).isEmpty();
    }
  }

  private static JavaFile product(String code) {
    return file("tools/src/main/java/dev/switchboard/tool/ATool.java", code);
  }

  @Test
  void noTwoTypesThatUsersGetHaveOneName() throws IOException {
    assertThat(TypeNames.faults(JavaFile.all())).isEmpty();
  }

  @Test
  void refusesASecondTypeOfOneName() {
    JavaFile first = file("tools/src/main/java/p/Form.java", "/// A form.\nenum Form {");
    JavaFile second =
        file("mcp/src/main/java/q/Form.java", "public sealed interface Form {\n  record Shop() {}");
    JavaFile shop = file("mcp/src/main/java/q/Shop.java", "public final class Shop {}");

    assertThat(TypeNames.faults(List.of(first, second, shop)))
        .singleElement()
        .asString()
        .contains("`Form`", first.path().toString(), second.path().toString(), "rename");
    assertThat(TypeNames.faults(List.of(first, shop))).isEmpty();
    for (String ours :
        List.of("bench/src/main/java/b/", "tools/src/test/java/p/", "harness/src/main/java/h/")) {
      assertThat(TypeNames.faults(List.of(first, file(ours + "Form.java", "record Form() {}"))))
          .as(ours)
          .isEmpty();
    }
  }

  @Test
  void everyPackageOfMainCodeIsNullMarked() throws IOException {
    assertThat(JavaFile.packagesWithoutNullMarked(JavaFile.all())).isEmpty();
  }

  @Test
  void refusesAnEdgeDownwardsSidewaysOrToAnUnknownPackage() {
    assertThat(LAYERS.fault(edge("tool.ToolCall", "json.Json"))).isEmpty();
    assertThat(LAYERS.fault(edge("tool.ToolCall", "tool.ToolMode"))).isEmpty();
    assertThat(LAYERS.fault(edge("Switchboard", "config.AgentFile"))).isEmpty();

    assertThat(LAYERS.fault(edge("json.Json", "tool.ToolCall")))
        .get(STRING)
        .contains(
            "dev.switchboard.json.Json uses dev.switchboard.tool.ToolCall",
            "let `json` use `tool`",
            "Turn");
    assertThat(LAYERS.fault(edge("openai.Client", "anthropic.Client"))).isPresent();
    assertThat(LAYERS.fault(edge("tool.ToolCall", "Switchboard"))).isPresent();
    assertThat(LAYERS.fault(edge("tool.ToolCall", "extra.Thing")))
        .get(STRING)
        .contains("`extra`", "table");
  }

  @Test
  void refusesLongFilesEmptyNamesAndSleep() {
    String long400 = "\n".repeat(400);

    assertThat(main("final class Tool {}\n/// A Util class.\n" + long400).faults()).hasSize(1);
    assertThat(main(long400).faults()).isEmpty();
    assertThat(main("  static final class ToolImpl {\n").faults())
        .singleElement()
        .asString()
        .contains("Tool.java:1", "`ToolImpl`", "what it is");
    assertThat(main("record Impls() {}").faults()).isEmpty();
    assertThat(main("\nThread.sleep(1);").faults())
        .singleElement()
        .asString()
        .contains("Tool.java:2", "Time");
    assertThat(main("// Thread.sleep(1);").faults()).isEmpty();
    assertThat(file("src/test/java/p/Tool.java", "Thread.sleep(1);").faults()).isEmpty();
  }

  @Test
  void refusesFilesThatOtherUsersCanRead() {
    for (String written :
        List.of(
            "Files.writeString(file, words);",
            "out = Files.newBufferedWriter(file);",
            "new FileOutputStream(file, true)",
            "FileChannel.open(file, StandardOpenOption.CREATE)")) {
      assertThat(main(written).faults())
          .singleElement()
          .asString()
          .contains("Tool.java:1", "OwnerFile");
    }
    assertThat(main("Files.readString(file);").faults()).isEmpty();
    assertThat(file("src/main/java/p/OwnerFile.java", "Files.createFile(file);").faults())
        .isEmpty();
  }

  @Test
  void refusesTestsThatDependOnTheSpeedOfTheirMachine() {
    assertThat(slow("Thread.sleep(20);"))
        .singleElement()
        .asString()
        .contains("ATest.java:1", "Manual");
    for (String code :
        List.of(
            "TimeUnit.SECONDS.sleep(1);",
            "LockSupport.parkNanos(1);",
            "@Timeout(60)",
            "assertThat(System.nanoTime() - begin).isLessThan(1);",
            "long now = System.currentTimeMillis();",
            "await().atMost(Duration.ofSeconds(20)).until(done);",
            "latch.await(10, TimeUnit.SECONDS);",
            "result.orTimeout(LIMIT.toSeconds(), SECONDS).join();",
            "thread.join(Duration.ofSeconds(59));",
            "assertTimeoutPreemptively(Duration.ofSeconds(5), run);",
            "assertThat(future).succeedsWithin(Duration.ofMillis(500));")) {
      assertThat(slow(code)).as(code).hasSize(1);
    }
    for (String code :
        List.of(
            "latch.await(5, TimeUnit.MINUTES);",
            "thread.join(Duration.ofMinutes(5));",
            "await().until(done);",
            "await().atMost(Duration.ofMinutes(1)).until(done);",
            "// Thread.sleep(20);")) {
      assertThat(slow(code)).as(code).isEmpty();
    }
    assertThat(WallClock.RULE.faults(List.of(main("System.nanoTime();")))).isEmpty();
  }

  private static List<String> slow(String code) {
    return WallClock.RULE.faults(List.of(file("tools/src/test/java/p/ATest.java", code)));
  }

  @Test
  void refusesCommentsThatCiteWhatIsNotHere() {
    assertThat(main("  /// S" + "PEC 3: one result for every call.").faults())
        .singleElement()
        .asString()
        .contains("Tool.java:1", "say what holds");
    assertThat(file("src/test/java/p/Tool.java", "// As in s" + "eed 004.").faults()).hasSize(1);
    assertThat(main("/// The specification of a seed.").faults()).isEmpty();
  }

  @Test
  void refusesAPackageWithoutNullMarkedPackageInfo() {
    JavaFile bare = file("src/main/java/p/package-info.java", "package p;");
    JavaFile marked = file("src/main/java/p/package-info.java", "@NullMarked\npackage p;");
    JavaFile tool = main("final class Tool {}");

    assertThat(JavaFile.packagesWithoutNullMarked(List.of(tool, marked))).isEmpty();
    assertThat(JavaFile.packagesWithoutNullMarked(List.of(tool, bare)))
        .singleElement()
        .asString()
        .contains("src/main/java/p", "@NullMarked");
    assertThat(JavaFile.packagesWithoutNullMarked(List.of(tool))).hasSize(1);
  }

  private static Layers.Edge edge(String from, String to) {
    return new Layers.Edge("dev.switchboard." + from, "dev.switchboard." + to);
  }

  private static JavaFile main(String text) {
    return file("src/main/java/p/Tool.java", text);
  }

  private static JavaFile file(String path, String text) {
    return new JavaFile(Path.of(path), text.lines().toList());
  }
}
