package dev.switchboard.handler;

import dev.switchboard.schema.ToolNames;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The tools of an agent, by name (case-sensitive); may be changed while calls run.
///
/// Thread-safe.
public final class ToolRegistry {
  private static final int MOST_GONE = 1_000; // names whose reasons are kept

  private final Map<String, Registered> entries = new ConcurrentHashMap<>();
  private final Map<String, String> goneReasons = new ConcurrentHashMap<>();
  private final Map<String, String> guides = new ConcurrentSkipListMap<>();
  private final Set<String> expected = ConcurrentHashMap.newKeySet();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong version = new AtomicLong();

  /// @param ruledAs names besides its own whose rules hold for the tool
  private record Registered(long order, Tool tool, Set<String> ruledAs) {}

  /// A source of tools that appear and disappear, such as those of an MCP server.
  public interface Source extends AutoCloseable {
    /// Adds its tools to the registry, and keeps them up to date.
    ///
    /// @param defaults for tools that do not state an option
    /// @param services of the agent
    /// @throws IllegalArgumentException when a name is taken, or the source is required and
    ///   unavailable
    void start(ToolRegistry tools, ToolDefaults defaults, Services services);

    /// The state of each of its parts.
    default List<State> states() {
      return List.of();
    }

    /// Closes it. The tools stay in the registry; calls of them fail.
    @Override
    void close();

    /// The state of a source of tools, for people.
    ///
    /// @param name such as `github`
    /// @param ready whether its tools can be called
    /// @param detail what it is, or why it is unavailable
    /// @param tools the names of its tools that the agent has
    record State(String name, boolean ready, String detail, List<String> tools) {
      public State {
        tools = List.copyOf(tools);
      }
    }
  }

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
  /// @throws IllegalArgumentException when its name is taken ([#replace] overrides a tool), or
  ///   reserved for tools of hosts
  public void register(Tool tool) {
    register(tool, Set.of());
  }

  /// As [#register(Tool)], for a tool whose own name had to be changed.
  ///
  /// @param ruledAs other names of the tool: what rules restrict by them is restricted for it, too
  public void register(Tool tool, Set<String> ruledAs) {
    checkName(tool);
    Registered entry = new Registered(next.incrementAndGet(), tool, Set.copyOf(ruledAs));
    if (entries.putIfAbsent(tool.name(), entry) != null) {
      throw new IllegalArgumentException("tool '%s' is defined twice".formatted(tool.name()));
    }
    version.incrementAndGet();
  }

  /// Adds the tool, or replaces the one with its name.
  ///
  /// @throws IllegalArgumentException when its name is reserved for tools of hosts
  public void replace(Tool tool) {
    checkName(tool);
    entries.compute(
        tool.name(),
        (name, old) ->
            old == null
                ? new Registered(next.incrementAndGet(), tool, Set.of())
                : new Registered(old.order, tool, old.ruledAs));
    version.incrementAndGet();
  }

  private static void checkName(Tool tool) {
    String fault = ToolNames.fault(tool.name());
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
  }

  /// Removes the tool of that name; returns whether there was one. Running calls finish.
  public boolean remove(String name) {
    boolean removed = entries.remove(name) != null;
    version.incrementAndGet();
    return removed;
  }

  /// Removes the tool of that name; later calls are refused with the reason.
  ///
  /// @param reason a clause, such as `the MCP server 'shop' no longer has it`
  public void remove(String name, String reason) {
    if (remove(name) && goneReasons.size() < MOST_GONE) {
      goneReasons.put(name, reason);
    }
  }

  /// Why the tool of that name was removed; null if unknown, or if the tool exists.
  public @Nullable String goneReason(String name) {
    return entries.containsKey(name) ? null : goneReasons.get(name);
  }

  /// Sets a source's instructions for its tools, for the agent's prompt.
  ///
  /// @param source the name of the source, such as `github`
  /// @param text empty for none
  public void guide(String source, String text) {
    if (text.isBlank()) {
      guides.remove(source);
    } else {
      guides.put(source, text);
    }
  }

  /// The instructions of the sources of tools, by the names of the sources.
  public Map<String, String> guides() {
    return Collections.unmodifiableMap(guides);
  }

  /// States names that the agent's rules and its list of tools have, so that a source can tell
  /// those that no tool has.
  public void expect(Collection<String> names) {
    expected.addAll(names);
  }

  /// The names that the agent's rules and its list of tools have.
  public List<String> expected() {
    return expected.stream().sorted().toList();
  }

  /// The tool of that name, or null.
  public @Nullable Tool find(String name) {
    Registered entry = entries.get(name);
    return entry == null ? null : entry.tool;
  }

  /// The names besides its own whose rules hold for the tool of that name.
  public Set<String> ruledAs(String name) {
    Registered entry = entries.get(name);
    return entry == null ? Set.of() : entry.ruledAs;
  }

  /// A number that grows with every change.
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

  /// The tools whose name or description has every word of the query, in any letter case, in the
  /// order of [#list].
  public List<Tool> search(String query) {
    List<String> words = List.of(query.toLowerCase(Locale.ROOT).strip().split("\\s+"));
    return list().stream().filter(tool -> words.stream().allMatch(text(tool)::contains)).toList();
  }

  private static String text(Tool tool) {
    return (tool.name() + ' ' + tool.definition().description()).toLowerCase(Locale.ROOT);
  }
}
