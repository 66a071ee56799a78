package dev.switchboard.ruling;

import dev.switchboard.model.ModelRequest;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;

/// What a model is offered in its next round.
///
/// @param tools those that may run now, with the operations that are allowed; may be empty, which
///   means no tools, not all
public record Offer(List<ToolDefinition> tools, ModelRequest.ToolChoice choice) {
  public Offer {
    tools = List.copyOf(tools);
  }
}
