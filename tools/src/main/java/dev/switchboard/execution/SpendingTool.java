package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tool of the calls by which the runtime asks a person whether a conversation may go on
/// spending. No model is offered it, no registry has it, and no rule concerns it.
final class SpendingTool {
  private static final String PARAMETERS =
      """
      {"type": "object", "required": ["scope", "limit", "spent"], "properties": {
        "scope": {"type": "string"}, "limit": {"type": "object"}, "spent": {"type": "object"}}}
      """;

  private static final CompiledTool COMPILED = compiled();

  private SpendingTool() {}

  private static CompiledTool compiled() {
    Tool tool =
        Tool.dynamic(ToolNames.CONTINUE_SPENDING, PARAMETERS)
            .description("Continues although the budget is used up: its limit counts once more.")
            .mode(ToolMode.LOCAL)
            .ofHost()
            .atLeastOnce()
            .inline()
            .repeatLimit(0)
            .asksWhen((arguments, services) -> reason(arguments))
            .answeredBy((arguments, context) -> "The limit counts once more.");
    CompiledRules alone = CompiledRules.of(List.of(), new ToolRegistry(), List.of(tool));
    return Objects.requireNonNull(alone.tools().get(tool.name()));
  }

  private static String reason(Json arguments) {
    String scope = arguments.tree().path("scope").asString("");
    return "The budget of the " + scope + " is used up. Its limit would count once more.";
  }

  /// This tool if the call is such a question, otherwise the one of its name, null if there is
  /// none.
  static @Nullable CompiledTool of(ToolCall call, CompiledRules rules) {
    CompiledTool known = rules.tools().get(call.name());
    boolean isQuestion =
        known == null
            && call.name().equals(ToolNames.CONTINUE_SPENDING)
            && call.id().startsWith(ToolNames.SPENDING_ID);
    return isQuestion ? COMPILED : known;
  }
}
