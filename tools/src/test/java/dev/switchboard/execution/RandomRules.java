package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Tools, rules and calls drawn by lot, for an executor that no check of the rules holds up.
record RandomRules(Random random) {
  static final List<String> TOOLS = List.of("a", "b", "c", "d");
  private static final List<String> OPERATIONS = List.of("read", "write");
  // A start tool needs an argument, so that it is never run by force.
  private static final String PARAMETERS =
      """
      {"type":"object","required":["operation"],"properties":{"operation":{"type":"string"},
       "fails":{"type":"boolean"},"inner":{"type":"string"}}}\
      """;

  /// What a tool does.
  interface Work {
    void run(String tool, Json arguments, ToolContext context);
  }

  List<ToolRule> rules(int most) {
    return Stream.generate(this::rule).limit(random.nextInt(most + 1)).toList();
  }

  private ToolRule rule() {
    RuleType type = type();
    boolean start = type instanceof RuleType.StartConstraint;
    String tool = !start && random.nextInt(4) == 0 ? ToolRule.ANY : any(TOOLS);
    ToolRule.Scope scope = ToolRule.Scope.values()[random.nextInt(3)];
    return ToolRule.of(tool, type).scope(scope).priority(1 + random.nextInt(10));
  }

  private RuleType type() {
    return switch (random.nextInt(11)) {
      case 0, 1 -> new RuleType.MaxCalls(1 + random.nextInt(3));
      case 2, 3 -> new RuleType.Cooldown(Duration.ofMillis(500L * random.nextInt(4)));
      case 4, 5 -> new RuleType.ExclusiveGroups(List.of(new LinkedHashSet<>(some(TOOLS, 3))));
      case 6 -> new RuleType.RequiresPreceding(some(TOOLS, 2));
      case 7 -> new RuleType.RequiresFollowing(some(TOOLS, 2));
      case 8 -> new RuleType.StartConstraint(null, false);
      case 9 -> new RuleType.AllowedOperations(some(OPERATIONS, 2));
      default -> new RuleType.ExitLoop();
    };
  }

  String any(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }

  private List<String> some(List<String> names, int most) {
    return Stream.generate(() -> any(names)).limit(random.nextInt(most + 1)).toList();
  }

  ToolCall call() {
    String inner = random.nextInt(5) == 0 ? ",\"inner\":\"" + any(TOOLS) + "\"" : "";
    return ToolCall.of(
        any(TOOLS),
        "{\"operation\":\"%s\",\"fails\":%s%s}"
            .formatted(any(OPERATIONS), random.nextInt(3) == 0, inner));
  }

  static Json innerArguments(Json outer) {
    return Json.text(
        "{\"operation\":\"read\",\"fails\":" + outer.tree().path("fails").asBoolean() + "}");
  }

  static ToolExecutor executor(
      List<ToolRule> rules, ConversationStore store, ManualTime time, Work work) {
    ToolRegistry registry = new ToolRegistry();
    TOOLS.forEach(name -> registry.register(tool(name, work)));
    // Not by `build`, which refuses rules that contradict each other.
    return new ToolExecutor(
        ToolExecutor.builder().registry(registry).rules(rules).store(store).time(time));
  }

  private static Tool tool(String name, Work work) {
    return Tool.dynamic(name, PARAMETERS)
        .mode(ToolMode.EXTERNAL)
        .parallel(true)
        .repeatLimit(0)
        .inline()
        .handler((arguments, context) -> {
          Json given = Json.text(arguments.text());
          work.run(name, given, context);
          if (given.tree().path("fails").asBoolean()) {
            throw ToolException.permanent("no");
          }
          return "done";
        });
  }
}
