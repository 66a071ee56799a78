package dev.switchboard.config;

import dev.switchboard.command.LocalCommand;
import dev.switchboard.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a tool that is a local program.
final class CommandReader {
  private final AgentToml.Tool tool;
  private final FileContext file;

  CommandReader(AgentToml.Tool tool, FileContext file) {
    this.tool = tool;
    this.file = file;
  }

  /// The command; null if there is a fault, which is reported.
  ///
  /// @param parameters the schema of the tool, null if it cannot be read
  @Nullable LocalCommand read(@Nullable Json parameters) {
    Value place = tool.at().member("command");
    List<String> words = new ArrayList<>();
    for (Value word : tool.command()) {
      String text = word.text();
      if (text == null) {
        return null;
      }
      Parameters.checkPlaceholders(word, text, parameters);
      words.add(text);
    }
    Map<String, String> environment = tool.env() == null ? Map.of() : file.environment(tool.env());
    Path in = tool.cwd() == null ? file.folder() : file.existingFolder(tool.cwd());
    try {
      LocalCommand command = LocalCommand.of(file.program(words)).environment(environment);
      command = in == null ? command : command.in(in);
      command = tool.responseLimit() == null ? command : command.outputLimit(tool.responseLimit());
      return tool.stdin() == null ? command : command.jsonInput();
    } catch (IllegalArgumentException e) {
      place.bad("cannot be run: " + e.getMessage());
      return null;
    }
  }
}
