package dev.switchboard.mcp.client;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The agent's names of a server's tools. A name stays with its tool, be it there or not: rules and
/// lasting consents are stated by it. For one thread at a time.
final class AssignedNames {
  private static final int MOST = 50_000; // a server may change its tools without end

  private final McpSettings settings;
  private final Map<String, String> given = new HashMap<>(); // by the server's names
  private final Set<String> taken = new HashSet<>();

  AssignedNames(McpSettings settings) {
    this.settings = settings;
  }

  /// Gives names to the tools that have none, independent of the order of the tools.
  void give(List<String> tools) {
    List<String> more = tools.stream().filter(tool -> !given.containsKey(tool)).sorted().toList();
    Map<String, Long> having =
        more.stream().collect(groupingBy(tool -> ToolName.of(settings, tool), counting()));
    for (String tool : more) { // first those whose names need not change
      String name = ToolName.of(settings, tool);
      if (name.endsWith(tool)) {
        give(tool, name);
      }
    }
    for (String tool : more) {
      String name = ToolName.of(settings, tool);
      if (!given.containsKey(tool) && having.getOrDefault(name, 0L) == 1) {
        give(tool, name);
      }
    }
    for (String tool : more) {
      if (!given.containsKey(tool)) {
        give(tool, ToolName.distinct(ToolName.of(settings, tool), tool));
      }
    }
  }

  private void give(String tool, String name) {
    if (given.size() < MOST && taken.add(name)) {
      given.put(tool, name);
    }
  }

  /// The name of that tool of the server; null if none is left.
  @Nullable String of(String tool) {
    return given.get(tool);
  }
}
