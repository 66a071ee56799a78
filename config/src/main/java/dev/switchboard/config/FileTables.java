package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.FileTable.StatedRule;
import dev.switchboard.config.FileTable.StatedTool;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.ToolRule;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tables of a file that other packages and modules read.
final class FileTables {
  /// Each of them, in the order in which they are read.
  private static final List<Owned> ALL =
      List.of(
          new Owned("agent.defaults", "switchboard-config", null),
          new Owned("tools", "switchboard-config", null),
          new Owned("agent.openapi", "switchboard-config", null),
          new Owned("agent.tool_rules", "switchboard-config", null),
          new Owned("agent.mcp", "switchboard-mcp", "the file names MCP servers"),
          new Owned("phone", "switchboard-phone", null));

  /// A table and the artifact that reads it.
  ///
  /// @param artifact for those who lack its module
  /// @param need why no agent is made without the module, null if one is
  private record Owned(String word, String artifact, @Nullable String need) {
    private Value in(Value file) {
      Value at = file;
      for (String step : word.split("\\.", -1)) {
        at = at.member(step);
      }
      return at;
    }

    private String remedy() {
      return "add the module dev.switchboard:" + artifact;
    }
  }

  private final Iterator<?> unloaded = ServiceLoader.load(FileTable.class).iterator();
  private final List<FileTable<?>> loaded = new ArrayList<>();
  private final List<Bound<?>> bound = new ArrayList<>();
  private final List<Owned> absent = new ArrayList<>();

  /// A table without an error.
  private record Bound<T>(FileTable<T> table, Value value, T content) {
    private static <T> @Nullable Bound<T> of(
        FileTable<T> table, Value value, FileTable.Context context) {
      T content = table.read(value, context);
      return content == null ? null : new Bound<>(table, value, content);
    }

    private void check(List<Tool> tools, List<ToolRule> rules) {
      table.check(value, content, tools, rules);
    }

    private Stream<StatedTool> tools() {
      return table.tools(content).stream();
    }

    private Stream<StatedRule> rules() {
      return table.rules(content).stream();
    }

    private boolean mayHaveTool(String name) {
      return table.mayHaveTool(content, name);
    }

    private ToolRegistry.@Nullable Source source(Function<String, @Nullable String> environment) {
      return table.source(content, environment);
    }
  }

  /// Reads those that the file has. A table whose module is absent is a warning.
  FileTables(Value file, FileContext context) {
    for (Owned one : ALL) {
      Value value = one.in(file);
      if (!value.node().isMissingNode()) {
        read(one, value, context);
      }
    }
  }

  private void read(Owned one, Value value, FileContext context) {
    FileTable<?> table = provided(one.word);
    if (table == null) {
      absent.add(one);
      value.warning(FaultClass.NOT_YET, "%s is not read: %s".formatted(one.word, one.remedy()));
      return;
    }
    Bound<?> read = Bound.of(table, value, context);
    if (read != null) {
      bound.add(read);
      context.add(read.content);
    }
  }

  /// Loads no more of them than it takes to find that one.
  private @Nullable FileTable<?> provided(String word) {
    for (FileTable<?> table : loaded) {
      if (table.word().equals(word)) {
        return table;
      }
    }
    while (unloaded.hasNext()) {
      if (unloaded.next() instanceof FileTable<?> table) {
        loaded.add(table);
        if (table.word().equals(word)) {
          return table;
        }
      }
    }
    return null;
  }

  /// The tools that they define.
  List<StatedTool> tools() {
    return bound.stream().flatMap(Bound::tools).toList();
  }

  /// The rules that they state.
  List<StatedRule> rules() {
    return bound.stream().flatMap(Bound::rules).toList();
  }

  /// Whether a name may be that of a tool which one of them adds to a running agent.
  boolean mayHaveTool(String name) {
    return absent.stream().anyMatch(one -> one.need != null)
        || bound.stream().anyMatch(table -> table.mayHaveTool(name));
  }

  /// What adds tools to a running agent, made again for each agent. It throws an
  /// [IllegalArgumentException] if a module is absent without which no agent is made.
  ///
  /// @param environment the value of an environment variable, null if it is not set
  Supplier<List<ToolRegistry.Source>> sources(Function<String, @Nullable String> environment) {
    return () -> {
      for (Owned one : absent) {
        if (one.need != null) {
          throw new IllegalArgumentException(one.need + ": " + one.remedy());
        }
      }
      return bound.stream()
          .map(table -> table.source(environment))
          .filter(Objects::nonNull)
          .toList();
    };
  }

  /// Warns people who check the file of what its parts together probably do not mean.
  void check(List<Tool> tools, List<ToolRule> rules) {
    bound.forEach(table -> table.check(tools, rules));
  }
}
