package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import org.jspecify.annotations.Nullable;

/// A tool that a file defines.
interface FileTool {
  /// The name, null if it cannot be read.
  @Nullable String name();

  /// Reports all its faults.
  void check();

  /// Reports that another tool has its name; the rest of the sentence says where.
  void isTwin(String where);

  /// The tool, if no fault was reported.
  Tool make(AgentToml.Defaults defaults);
}
