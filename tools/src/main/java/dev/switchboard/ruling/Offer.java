package dev.switchboard.ruling;

import dev.switchboard.model.ModelRequest;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;

/// The tools for a model's next round.
///
/// @param tools those that may run now, with their allowed operations; empty means no tools
public record Offer(List<ToolDefinition> tools, ModelRequest.ToolChoice choice) {
  public Offer {
    tools = List.copyOf(tools);
  }

  /// All of these tools, of which the model need not call one.
  public static Offer all(List<ToolDefinition> tools) {
    return new Offer(
        tools, tools.isEmpty() ? ModelRequest.ToolChoice.NONE : ModelRequest.ToolChoice.AUTO);
  }
}
