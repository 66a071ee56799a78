package dev.switchboard.builtin;

import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.MemoryQuery.SearchDomain;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The built-in tools, by name. They are ordinary tools, and use the
/// [dev.switchboard.handler.Services] of their agent.
public final class BuiltInTools {
  /// Their names, as in an agent's `tools`.
  public static final List<String> NAMES = List.of("block", "recall", "search", "send_message");

  private BuiltInTools() {}

  /// The built-in tool of that name.
  ///
  /// @throws IllegalArgumentException when there is none
  public static Tool of(String name) {
    return of(name, List.of(), null);
  }

  private static Tool of(String name, List<SearchDomain> domains, @Nullable List<Target> targets) {
    return switch (name) {
      case "block" -> BlockTool.tool();
      case "recall" -> RecallTool.tool();
      case "search" -> new SearchTool(domains).tool();
      case "send_message" -> SendMessageTool.tool(targets);
      default -> throw new IllegalArgumentException("there is no built-in tool '" + name + "'");
    };
  }

  /// The built-in tools of those names, in their order.
  ///
  /// @throws IllegalArgumentException when a name is unknown
  public static List<Tool> of(Collection<String> names) {
    return of(names, List.of(), null);
  }

  /// The built-in tools of those names, in their order; `search` also searches these domains.
  ///
  /// @param targets that `send_message` offers; null if they are not known
  /// @throws IllegalArgumentException when a name is unknown, domains are given without `search`,
  ///   or a domain's name is invalid or taken
  public static List<Tool> of(
      Collection<String> names, List<SearchDomain> domains, @Nullable List<Target> targets) {
    if (!domains.isEmpty() && !names.contains("search")) {
      throw new IllegalArgumentException(
          "search domain '%s' needs the built-in tool 'search'"
              .formatted(domains.getFirst().name()));
    }
    return names.stream().map(name -> of(name, domains, targets)).toList();
  }
}
