package dev.switchboard.mcp.client;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ToolNames;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The names of server tools among an agent's: prefixed with their server's name, with valid
/// characters only, at most 64.
final class ToolName {
  private static final String SEPARATOR = "__";
  private static final int LONGEST = 64;
  private static final int DIGEST = 8;

  private ToolName() {}

  /// The agent's name of a tool, unless another has it.
  static String of(McpSettings server, String tool) {
    String wanted = whole(server, ToolNames.plain(tool));
    return wanted.length() <= LONGEST ? wanted : distinct(wanted, tool);
  }

  private static String whole(McpSettings server, String tool) {
    return (server.prefix() ? server.name() + SEPARATOR : "") + tool;
  }

  /// The names besides the given one by which rules may mean the tool: the server's own, and what
  /// would be the agent's if no other tool had it.
  static Set<String> others(McpSettings server, String tool, String given) {
    return Stream.of(whole(server, tool), whole(server, ToolNames.plain(tool)), of(server, tool))
        .filter(name -> !name.equals(given))
        .collect(Collectors.toSet());
  }

  /// A name that differs from those of all other tools of the server.
  static String distinct(String name, String tool) {
    int kept = Math.min(name.length(), LONGEST - DIGEST - 1);
    return name.substring(0, kept) + "_" + Json.text(tool).digest().substring(0, DIGEST);
  }

  /// Whether the settings include a tool of that name.
  static boolean isTaken(McpSettings server, String tool) {
    List<String> include = server.include();
    boolean included =
        include.isEmpty() || include.stream().anyMatch(pattern -> matches(pattern, tool));
    return included && server.exclude().stream().noneMatch(pattern -> matches(pattern, tool));
  }

  /// Whether the name begins as those of that server do.
  static boolean hasPrefix(McpSettings server, String name) {
    return server.prefix() && name.startsWith(server.name() + SEPARATOR);
  }

  /// The name without the prefix of that server.
  static String ofServer(McpSettings server, String name) {
    String prefix = server.name() + SEPARATOR;
    return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
  }

  /// Whether a pattern matches that name, with `*` for any characters.
  static boolean matches(String pattern, String name) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(name);
    }
    if (!name.startsWith(pattern.substring(0, star))) {
      return false;
    }
    String rest = pattern.substring(star + 1);
    String left = name.substring(star);
    if (rest.indexOf('*') < 0) {
      return left.endsWith(rest);
    }
    for (int i = 0; i <= left.length(); i++) {
      if (matches(rest, left.substring(i))) {
        return true;
      }
    }
    return false;
  }
}
