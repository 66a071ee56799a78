package dev.switchboard.openapi;

import dev.switchboard.config.FileTable;
import java.util.ArrayList;
import java.util.List;

/// The OpenAPI documents of agents' files, `[[agent.openapi]]`, for [java.util.ServiceLoader].
public final class OpenApiTable implements FileTable<OpenApiTable.Operations> {
  /// The tools of a file's documents.
  record Operations(List<StatedTool> tools) {
    Operations {
      tools = List.copyOf(tools);
    }
  }

  /// The table.
  public OpenApiTable() {}

  @Override
  public String word() {
    return "agent.openapi";
  }

  @Override
  public Operations read(StatedValue list, Context file) {
    List<StatedTool> tools = new ArrayList<>();
    for (StatedValue item : list.items()) {
      OpenApiKeys keys = item.bind(OpenApiKeys.class);
      if (keys != null) {
        tools.addAll(new OpenApiReader(keys, file).tools());
      }
    }
    return new Operations(tools);
  }

  @Override
  public List<StatedTool> tools(Operations operations) {
    return operations.tools;
  }
}
