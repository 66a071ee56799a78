package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The tables of a file that other modules read.
final class FileTables {
  /// The artifact with the module of each, for those who lack it.
  private static final Map<String, String> ARTIFACTS = Map.of("phone", "switchboard-phone");

  private final List<Bound<?>> bound = new ArrayList<>();

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
  }

  /// Reads those that the file has. A table whose module is absent is a warning.
  FileTables(Value file, FileTable.Context context) {
    ARTIFACTS.forEach((word, artifact) -> {
      if (file.has(word)) {
        read(word, artifact, file.member(word), context);
      }
    });
  }

  private void read(String word, String artifact, Value value, FileTable.Context context) {
    FileTable<?> table = provided(word);
    if (table == null) {
      value.warning(
          FaultClass.NOT_YET,
          "%s is not read: add the module dev.switchboard:%s".formatted(word, artifact));
      return;
    }
    Bound<?> read = Bound.of(table, value, context);
    if (read != null) {
      bound.add(read);
    }
  }

  private static @Nullable FileTable<?> provided(String word) {
    for (FileTable<?> table : ServiceLoader.load(FileTable.class)) {
      if (table.word().equals(word)) {
        return table;
      }
    }
    return null;
  }

  /// What was read, without the tables that have an error.
  List<Object> contents() {
    List<Object> contents = new ArrayList<>();
    bound.forEach(table -> contents.add(table.content));
    return contents;
  }

  /// Warns people who check the file of what its parts together probably do not mean.
  void check(List<Tool> tools, List<ToolRule> rules) {
    bound.forEach(table -> table.check(tools, rules));
  }
}
