package dev.switchboard.config.tool;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
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
public final class ProgramReader {
  private final FileTable.Context file;

  /// Reads programs of that file.
  public ProgramReader(FileTable.Context file) {
    this.file = file;
  }

  /// The words, with a relative path of the program resolved against the agent's folder, not the
  /// working directory.
  public List<String> beside(List<String> words) {
    String program = words.isEmpty() ? "" : words.getFirst();
    if (!program.contains("/") || Placeholders.in(program).size() > 0) {
      return words;
    }
    List<String> all = new ArrayList<>(words);
    all.set(0, file.folder().resolve(program).toAbsolutePath().toString());
    return all;
  }

  /// The folder of that path, relative to the agent's; null if it is not one, which is reported.
  public @Nullable Path folder(StatedValue value) {
    String text = value.filledText();
    try {
      Path path = text == null ? null : file.folder().resolve(text);
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
  public Map<String, String> environment(StatedValue value) {
    Map<String, String> environment = new LinkedHashMap<>();
    if (value.node().isArray()) {
      for (StatedValue item : value.items()) {
        String name = item.filledText();
        String found = name == null ? null : file.variable(item, name);
        if (name != null && found != null) {
          environment.put(name, found);
        }
      }
      return environment;
    }
    value
        .members()
        .forEach((name, member) -> {
          String filled = file.filled(member);
          if (filled != null) {
            environment.put(name, filled);
          }
        });
    return environment;
  }
}
