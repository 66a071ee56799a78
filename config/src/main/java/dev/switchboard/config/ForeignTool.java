package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.handler.Tool;

/// A tool that something else defines, such as an operation of a document.
///
/// @param at where the file names it
record ForeignTool(Value at, Tool tool) implements FileTool {
  @Override
  public String name() {
    return tool.name();
  }

  @Override
  public void check() {
    // It was checked when it was made.
  }

  @Override
  public void isTwin(String where) {
    at.error(FaultClass.DUPLICATE_TOOL, "tool '" + name() + "' " + where);
  }

  @Override
  public Tool make(AgentToml.Defaults defaults) {
    return tool;
  }
}
