package dev.switchboard.config;

import dev.switchboard.command.LocalCommand;
import dev.switchboard.json.Json;
import dev.switchboard.text.Placeholders;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The reading of a tool that is answered by a program of this machine.
final class CommandReader {
  private final AgentToml.Tool tool;
  private final Path folder;
  private final Headers variables;

  CommandReader(AgentToml.Tool tool, Path folder, Headers variables) {
    this.tool = tool;
    this.folder = folder;
    this.variables = variables;
  }

  /// The command; null where something is wrong, which is reported.
  ///
  /// @param parameters the schema of the tool, null where that cannot be read
  @Nullable LocalCommand read(@Nullable Json parameters) {
    Value place = tool.at().member("command");
    List<String> words = new ArrayList<>();
    for (Value word : tool.command()) {
      String text = word.text();
      if (text == null) {
        return null;
      }
      ToolEntry.checkPlaceholders(word, text, parameters);
      words.add(text);
    }
    Map<String, String> environment = tool.env() == null ? Map.of() : environment(tool.env());
    Path in = tool.cwd() == null ? folder : folder(tool.cwd());
    try {
      LocalCommand command = LocalCommand.of(beside(words)).environment(environment);
      command = in == null ? command : command.in(in);
      command = tool.responseLimit() == null ? command : command.outputLimit(tool.responseLimit());
      return tool.stdin() == null ? command : command.jsonInput();
    } catch (IllegalArgumentException e) {
      place.bad("cannot be run: " + e.getMessage());
      return null;
    }
  }

  /// The words with a program that is named by a path relative to the agent's folder, not to where
  /// the runtime was started.
  private List<String> beside(List<String> words) {
    String program = words.isEmpty() ? "" : words.getFirst();
    if (!program.contains("/") || Placeholders.in(program).size() > 0) {
      return words;
    }
    List<String> all = new ArrayList<>(words);
    all.set(0, folder.resolve(program).toAbsolutePath().toString());
    return all;
  }

  private @Nullable Path folder(Value value) {
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

  /// Variables by their names alone, or with what they hold.
  private Map<String, String> environment(Value value) {
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
