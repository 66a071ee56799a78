package dev.switchboard.config.tool;

import dev.switchboard.config.FileTable;
import dev.switchboard.handler.ToolDefaults;
import org.jspecify.annotations.Nullable;

/// The defaults for options that tools do not state, `[agent.defaults]`, for
/// [java.util.ServiceLoader].
public final class DefaultsTable implements FileTable<ToolDefaults> {
  /// The table.
  public DefaultsTable() {}

  @Override
  public String word() {
    return "agent.defaults";
  }

  @Override
  public @Nullable ToolDefaults read(StatedValue table, Context file) {
    ToolKeys.Defaults defaults = table.bind(ToolKeys.Defaults.class);
    return defaults == null ? null : defaults.common();
  }
}
