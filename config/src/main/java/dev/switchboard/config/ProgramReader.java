package dev.switchboard.config;

import dev.switchboard.text.Placeholders;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads how a program is started: its path, its folder and its environment.
final class ProgramReader {
  private final Path folder;
  private final Headers variables;

  /// @param folder of the agent's file
  ProgramReader(Path folder, Headers variables) {
    this.folder = folder;
    this.variables = variables;
  }

  /// The words, with a relative path of the program resolved against the agent's folder, not the
  /// working directory.
  List<String> beside(List<String> words) {
    String program = words.isEmpty() ? "" : words.getFirst();
    if (!program.contains("/") || Placeholders.in(program).size() > 0) {
      return words;
    }
    List<String> all = new ArrayList<>(words);
    all.set(0, folder.resolve(program).toAbsolutePath().toString());
    return all;
  }

  /// The folder of that path, relative to the agent's; null if it is not one, which is reported.
  @Nullable Path folder(Value value) {
    String text = value.filledText();
    try {
      Path path = text == null ? null : folder.resolve(text);
      if (path != null && !Files.isDirectory(path)) {
        value.bad("is not a folder");
        return null;
      }
      return path;
    } catch (InvalidPathException e) {
      value.bad("is not a path");
      return null;
    }
  }

  /// Variables by their names alone, or with their values.
  Map<String, String> environment(Value value) {
    Map<String, String> environment = new LinkedHashMap<>();
    if (value.node().isArray()) {
      for (Value item : value.items()) {
        String name = item.filledText();
        String found = name == null ? null : variables.variable(item, name);
        if (name != null && found != null) {
          environment.put(name, found);
        }
      }
      return environment;
    }
    value
        .members()
        .forEach((name, member) -> {
          String filled = variables.filled(member);
          if (filled != null) {
            environment.put(name, filled);
          }
        });
    return environment;
  }
}
