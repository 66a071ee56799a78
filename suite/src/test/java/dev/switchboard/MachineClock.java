package dev.switchboard;

import java.util.Map;
import java.util.regex.Pattern;

/// Finds what reads the machine's clock although a clock could be handed to it.
final class MachineClock {
  private static final Pattern READS =
      Pattern.compile(
          "\\bTime\\.SYSTEM\\b|\\bSystem(?:\\.|::)(?:nanoTime|currentTimeMillis)\\b"
              + "|\\b(?:Instant|Year|(?:Local|Offset|Zoned)\\w+)(?:\\.|::)now\\b"
              + "|\\bClock\\.(?:system|tick)|\\bnew Date\\(\\)");

  private static final String DEFAULT = "the clock where no other is set";
  private static final String WAITS = "limits how long threads or connections are waited for";
  private static final String COMMAND = "a command, for which no other clock can be set";
  private static final String SIMULATOR = "plays a carrier, whose calls take real time";
  private static final String DEMO = "shows how long something takes";

  /// Files that may, and why.
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("Switchboard", DEFAULT),
          Map.entry("agent/AgentBuilder", DEFAULT),
          Map.entry("execution/ConversationLease", DEFAULT),
          Map.entry("execution/ConversationStore", DEFAULT),
          Map.entry("execution/ToolExecutorBuilder", DEFAULT),
          Map.entry("execution/ToolSession", DEFAULT),
          Map.entry("execution/ToolSessionBuilder", DEFAULT),
          Map.entry("mcp/McpConnection", DEFAULT),
          Map.entry("mcp/McpServer", DEFAULT),
          Map.entry("mcp/McpTools", DEFAULT),
          Map.entry("mcp/oauth/OAuthBuilder", DEFAULT),
          Map.entry("memory/SemanticMemory", DEFAULT),
          Map.entry("phone/PhoneBuilder", DEFAULT),
          Map.entry("phone/carrier/twilio/Twilio", DEFAULT),
          Map.entry("phone/engine/realtime/OpenAiRealtime", DEFAULT),
          Map.entry("phone/testing/RealtimeSimulator", DEFAULT),
          Map.entry("server/access/Tokens", DEFAULT),
          Map.entry("execution/InProcessConversations", DEFAULT),
          Map.entry("store/Storage", DEFAULT),
          Map.entry("testing/ScriptedModel", DEFAULT),
          Map.entry("server/Server", DEFAULT + "; its end " + WAITS),
          Map.entry("openapi/OpenApiReader", WAITS),
          Map.entry("mcp/server/StdioServer", WAITS),
          Map.entry("mount/Places", WAITS),
          Map.entry("server/Agents", WAITS),
          Map.entry("server/OpenAiRoutes", WAITS),
          Map.entry("server/TurnSlot", WAITS),
          Map.entry("server/WorkerTurns", WAITS),
          Map.entry("server/OneOffTurns", WAITS),
          Map.entry("server/access/RequestShape", WAITS),
          Map.entry("store/Commits", WAITS),
          Map.entry("store/Database", WAITS),
          Map.entry("store/PostgresAnnouncements", WAITS),
          Map.entry("store/PostgresMigrations", WAITS),
          Map.entry("store/Scrub", WAITS),
          Map.entry("store/SqliteFile", WAITS),
          Map.entry("store/SqliteReaders", WAITS),
          Map.entry("store/Postgres", WAITS + "; its own clock corrects the machine's"),
          Map.entry("cli/CallCommand", COMMAND),
          Map.entry("cli/ChatCommand", COMMAND),
          Map.entry("cli/Deletion", COMMAND),
          Map.entry("cli/ExecCommand", COMMAND),
          Map.entry("cli/ReachableAgents", COMMAND),
          Map.entry("cli/OpenMemory", COMMAND),
          Map.entry("cli/ServeCommand", COMMAND),
          Map.entry("cli/StartOptions", COMMAND),
          Map.entry("cli/TokenRotateCommand", COMMAND),
          Map.entry("cli/TokensOption", COMMAND),
          Map.entry("cli/chat/HeldConversation", COMMAND),
          Map.entry("cli/chat/PlainView", COMMAND),
          Map.entry("cli/chat/TypedInput", COMMAND),
          Map.entry("phone/testing/CallFlow", SIMULATOR),
          Map.entry("phone/testing/LineRecorder", SIMULATOR),
          Map.entry("phone/testing/MediaStream", SIMULATOR),
          Map.entry("phone/testing/RelayCaller", SIMULATOR),
          Map.entry("phone/testing/RelayReports", SIMULATOR),
          Map.entry("phone/testing/RelaySession", SIMULATOR),
          Map.entry("phone/testing/RelayVoice", SIMULATOR),
          Map.entry("cli/demo/ClusterDemo", DEMO),
          Map.entry("cli/demo/PhoneDemo", DEMO),
          Map.entry("cli/demo/WasmDemo", DEMO),
          Map.entry("time/AlarmClock", "it is the machine's clock"),
          Map.entry("time/SystemTime", "it is the machine's clock"),
          Map.entry("attempt/Attempts", "measures what a step costs here"),
          Map.entry("builtin/BlockTool", "of a memory that is thrown away"),
          Map.entry("config/GuardrailReader", "of guards that are thrown away"),
          Map.entry("provider/Failures", "a date of another machine, as seen from here"));

  static final CodeRule RULE =
      new CodeRule(
          MachineClock::isProduct,
          MachineClock::name,
          Map.of(
              READS, "reads the machine's clock: take a Time, or name the reason in MachineClock"),
          REASONS);

  private MachineClock() {}

  private static boolean isProduct(JavaFile file) {
    String path = file.path().toString().replace('\\', '/');
    return path.contains("src/main/java/")
        && !file.isTest()
        && !path.startsWith("bench/"); // benchmarks measure
  }

  /// The path below the package that all have, such as `store/Database`.
  private static String name(JavaFile file) {
    return file.path()
        .toString()
        .replace('\\', '/')
        .replaceFirst("^.*src/main/java/dev/switchboard/", "")
        .replace(".java", "");
  }
}
