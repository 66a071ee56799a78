package dev.switchboard.config.tool;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.ToolTable;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The tables of tools in a file by which other modules answer their calls.
final class ToolTables {
  /// Each of them, its name in small letters, and the artifact with the module that reads it.
  enum Owned {
    WASM("switchboard-wasm");

    private final String artifact;

    Owned(String artifact) {
      this.artifact = artifact;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final FileTable.Context file;
  private final Map<String, ToolTable> tables = new HashMap<>();

  ToolTables(FileTable.Context file) {
    this.file = file;
  }

  /// The handler that a table of the tool states; null if there is none, or a fault, which is
  /// reported.
  @Nullable ToolHandler read(ToolKeys tool) {
    Owned owned = tool.tables().keySet().stream().findFirst().orElse(null);
    return owned == null ? null : read(owned, tool);
  }

  private @Nullable ToolHandler read(Owned owned, ToolKeys tool) {
    StatedValue value = tool.at().member(owned.word());
    ToolTable table = table(owned.word());
    if (table == null) {
      value.bad("needs the module dev.switchboard:" + owned.artifact + ", which is not here");
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
