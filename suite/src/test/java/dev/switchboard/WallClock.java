package dev.switchboard;

import java.util.Map;
import java.util.regex.Pattern;

/// Finds what makes a test depend on how fast its machine is.
final class WallClock {
  private static final Pattern LOAD = Pattern.compile("^@Tag\\(\"load\"\\)");
  private static final String UNITS = "(?:TimeUnit\\.)?(?:NANO|MICRO|MILLI)?SECONDS\\b";
  private static final String SHORT = "(?:java\\.time\\.)?Duration\\.of(?:Nanos|Millis|Seconds)\\(";

  /// What is found, and the remedy.
  private static final Map<Pattern, String> FAULTS =
      Map.of(
          Pattern.compile("\\bThread\\.sleep\\b|\\bTimeUnit\\.\\w+\\.sleep\\b|\\bparkNanos\\b"),
          "sleeps: wait for what has to happen, or own the clock by ManualTime",
          Pattern.compile("@Timeout\\b"),
          "has a limit of its own: that of the build guards against hangs",
          Pattern.compile("\\bnanoTime\\(\\)|\\bcurrentTimeMillis\\(\\)|\\bSYSTEM\\.nanos\\(\\)"),
          "reads the machine's clock: count steps, or own the clock by ManualTime",
          Pattern.compile(
              "\\.atMost\\((?!Duration\\.of(?:Minutes|Hours)\\()|\\.during\\(|setDefaultTimeout"),
          "limits a wait: SideBySide limits all, and only against hangs",
          Pattern.compile(
              "\\.(?:get|await|waitFor|orTimeout|completeOnTimeout|poll|tryAcquire|awaitTermination)\\((?:[^()]|\\([^()]*\\))*,"
                  + " "
                  + UNITS
                  + "|\\b(?:join|waitFor|succeedsWithin|failsWithin|takeRequest|assertTimeout\\w*)\\("
                  + SHORT),
          "waits for less than a minute: a limit only guards against hangs");

  private static final String CHAOS = "it stops, starves or kills processes for real";
  private static final String KILLED = "its processes are killed at a moment that no one chooses";
  private static final String LEAST = "a slow machine takes longer than the least it asks for";

  /// Files that may, besides the load tests, and why.
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("ArchitectureTest", "it says what is refused"),
          Map.entry("WallClock", "it says what is refused"),
          Map.entry("SideBySide", "its limit is that of all waits"),
          Map.entry("DurableHostContract", "others use it too, without SideBySide"),
          Map.entry("AlarmClockTest", "it tests the machine's clock, against none of its moments"),
          Map.entry("Hostile", "handlers that take real time, by which nothing is judged"),
          Map.entry("RecordingServer", "it records how long a model took, only when it is told to"),
          Map.entry("GuardrailCostTest", "its figures are printed; its limits have the tag load"),
          Map.entry("StubWebhookTest", LEAST),
          Map.entry("TwilioSimulatorTest", LEAST),
          Map.entry("Desk", LEAST + ", or " + CHAOS),
          Map.entry("ChangedRuleChaosTest", CHAOS),
          Map.entry("FullDiskChaosTest", CHAOS),
          Map.entry("HungNetworkChaosTest", CHAOS),
          Map.entry("StoppedWorkerChaosTest", CHAOS),
          Map.entry("Payments", CHAOS),
          Map.entry("EngineChaosTest", CHAOS),
          Map.entry("OnEngineTest", CHAOS),
          Map.entry("PayingWorker", CHAOS),
          Map.entry("BareWorker", KILLED),
          Map.entry("KilledTalker", KILLED),
          Map.entry("KilledServer", KILLED),
          Map.entry("KilledServerTest", KILLED),
          Map.entry("KilledServerClient", KILLED),
          Map.entry("Load", "of load tests"),
          Map.entry("LoadReader", "of load tests"),
          Map.entry("LoadedServer", "of load tests"),
          Map.entry("SlowReaders", "of load tests"));

  static final CodeRule RULE = new CodeRule(WallClock::isTest, WallClock::name, FAULTS, REASONS);

  private WallClock() {}

  private static boolean isTest(JavaFile file) {
    return file.isTest()
        && !file.path().toString().endsWith("LoadTest.java")
        && file.lines().stream().noneMatch(line -> LOAD.matcher(line).find());
  }

  private static String name(JavaFile file) {
    return String.valueOf(file.path().getFileName()).replace(".java", "");
  }
}
