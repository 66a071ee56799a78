package dev.switchboard.config.tool;

import dev.switchboard.config.FileTable;
import java.util.ArrayList;
import java.util.List;

/// The tools that a file defines, `[[tools]]`, for [java.util.ServiceLoader].
public final class ToolsTable implements FileTable<ToolsTable.Defined> {
  /// The tools of a file.
  record Defined(List<StatedTool> tools) {
    Defined {
      tools = List.copyOf(tools);
    }
  }

  /// The table.
  public ToolsTable() {}

  @Override
  public String word() {
    return "tools";
  }

  @Override
  public Defined read(StatedValue list, Context file) {
    ToolTables modules = new ToolTables(file);
    List<StatedTool> tools = new ArrayList<>();
    for (StatedValue item : list.items()) {
      ToolKeys keys = item.bind(ToolKeys.class);
      if (keys != null) {
        tools.add(new ToolReader(keys, file, modules).read());
      }
    }
    return new Defined(tools);
  }

  @Override
  public List<StatedTool> tools(Defined defined) {
    return defined.tools;
  }
}
