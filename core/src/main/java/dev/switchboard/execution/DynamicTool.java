package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import org.jspecify.annotations.Nullable;

/// The dynamic face of a tool, typed or not: JSON in, JSON out, through the door.
///
/// Safe for use by several threads.
public final class DynamicTool {
  private final ToolExecutor executor;
  private final ToolDefinition definition;

  DynamicTool(ToolExecutor executor, ToolDefinition definition) {
    this.executor = executor;
    this.definition = definition;
  }

  /// The tool's name.
  public String name() {
    return definition.name();
  }

  /// What the tool does.
  public String description() {
    return definition.description();
  }

  /// The JSON Schema of its arguments.
  public Json inputSchema() {
    return definition.parameters();
  }

  /// A sentence for the prompt, null where the tool has none.
  public @Nullable String usageRule() {
    return definition.usageRule();
  }

  /// What the model would read: the answer as JSON, a plain text as a JSON string, a failure as an
  /// object with `error`.
  public Json execute(Json arguments) {
    ToolResult result = executor.execute(ToolCall.of(name(), arguments));
    Json text = Json.text(String.valueOf(result.text()));
    try {
      text.check();
      return text;
    } catch (JsonException e) {
      return Json.of(text.text());
    }
  }
}
