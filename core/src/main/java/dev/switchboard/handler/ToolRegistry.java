package dev.switchboard.handler;

import dev.switchboard.schema.ToolNames;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The tools of an agent, by name in its exact letter case; may be changed while calls run.
///
/// Safe for use by several threads.
public final class ToolRegistry {
  private final Map<String, Registered> entries = new ConcurrentHashMap<>();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong version = new AtomicLong();

  private record Registered(long order, Tool tool) {}

  /// An empty registry.
  public ToolRegistry() {}

  /// A registry of these tools.
  ///
  /// @throws IllegalArgumentException when two have the same name
  public static ToolRegistry of(Collection<Tool> tools) {
    ToolRegistry registry = new ToolRegistry();
    tools.forEach(registry::register);
    return registry;
  }

  /// Adds the tool.
  ///
  /// @throws IllegalArgumentException when its name is taken, [#replace] overrides a tool; or when
  ///   the name is kept for tools of hosts
  public void register(Tool tool) {
    checkName(tool);
    Registered entry = new Registered(next.incrementAndGet(), tool);
    if (entries.putIfAbsent(tool.name(), entry) != null) {
      throw new IllegalArgumentException("tool '%s' is defined twice".formatted(tool.name()));
    }
    version.incrementAndGet();
  }

  /// Adds the tool, or replaces the one with its name.
  ///
  /// @throws IllegalArgumentException when its name is kept for tools of hosts
  public void replace(Tool tool) {
    checkName(tool);
    entries.compute(
        tool.name(),
        (name, old) -> new Registered(old == null ? next.incrementAndGet() : old.order, tool));
    version.incrementAndGet();
  }

  private static void checkName(Tool tool) {
    String fault = ToolNames.fault(tool.name());
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
  }

  /// Removes the tool of that name and says whether there was one. Calls that already run finish.
  public boolean remove(String name) {
    boolean removed = entries.remove(name) != null;
    version.incrementAndGet();
    return removed;
  }

  /// The tool of that name, or null.
  public @Nullable Tool find(String name) {
    Registered entry = entries.get(name);
    return entry == null ? null : entry.tool;
  }

  /// A number that grows with every change, so that a caller can tell whether what it derived from
  /// the tools is out of date.
  public long version() {
    return version.get();
  }

  /// All tools, in the order they were registered.
  public List<Tool> list() {
    return entries.values().stream()
        .sorted(Comparator.comparingLong(Registered::order))
        .map(Registered::tool)
        .toList();
  }

  /// The tools whose name or description holds every word of the query, letter case aside, in the
  /// order of [#list].
  public List<Tool> search(String query) {
    List<String> words = List.of(query.toLowerCase(Locale.ROOT).strip().split("\\s+"));
    return list().stream().filter(tool -> words.stream().allMatch(text(tool)::contains)).toList();
  }

  private static String text(Tool tool) {
    return (tool.name() + ' ' + tool.definition().description()).toLowerCase(Locale.ROOT);
  }
}
