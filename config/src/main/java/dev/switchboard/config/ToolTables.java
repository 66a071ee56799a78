package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.FileTable.ToolTable;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The tables of tools in a file by which other modules answer their calls.
final class ToolTables {
  private final FileTable.Context file;
  private final Map<String, ToolTable> tables = new HashMap<>();

  ToolTables(FileTable.Context file) {
    this.file = file;
  }

  /// The handler that a tool's table states; null if there is a fault, which is reported.
  ///
  /// @param word the key of the table
  /// @param artifact that reads it, for those who lack its module
  @Nullable ToolHandler read(String word, String artifact, AgentToml.Tool tool) {
    Value value = tool.at().member(word);
    ToolTable table = table(word);
    if (table == null) {
      value.bad("needs the module dev.switchboard:" + artifact + ", which is not here");
      return null;
    }
    return table.read(
        value,
        new FileTable.ToolLimits(
            requireNonNullElse(tool.timeout(), ToolOptions.DEFAULT_TIMEOUT), tool.responseLimit()),
        file);
  }

  private @Nullable ToolTable table(String word) {
    if (!tables.containsKey(word)) {
      for (ToolTable table : ServiceLoader.load(ToolTable.class)) {
        tables.putIfAbsent(table.word(), table);
      }
    }
    return tables.get(word);
  }
}
