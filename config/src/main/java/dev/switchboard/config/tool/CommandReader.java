package dev.switchboard.config.tool;

import dev.switchboard.command.LocalCommand;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a tool that is a local program.
final class CommandReader {
  private final ToolKeys tool;
  private final FileTable.Context file;

  CommandReader(ToolKeys tool, FileTable.Context file) {
    this.tool = tool;
    this.file = file;
  }

  /// The command; null if there is a fault, which is reported.
  ///
  /// @param parameters the schema of the tool, null if it cannot be read
  @Nullable LocalCommand read(@Nullable Json parameters) {
    StatedValue place = tool.at().member("command");
    ProgramReader program = new ProgramReader(file);
    List<String> words = new ArrayList<>();
    for (StatedValue word : tool.command()) {
      String text = word.text();
      if (text == null) {
        return null;
      }
      Parameters.checkPlaceholders(word, text, parameters);
      words.add(text);
    }
    Map<String, String> environment =
        tool.env() == null ? Map.of() : program.environment(tool.env());
    Path in = tool.cwd() == null ? file.folder() : program.folder(tool.cwd());
    try {
      LocalCommand command = LocalCommand.of(program.beside(words)).environment(environment);
      command = in == null ? command : command.in(in);
      command = tool.responseLimit() == null ? command : command.outputLimit(tool.responseLimit());
      return tool.stdin() == null ? command : command.jsonInput();
    } catch (IllegalArgumentException e) {
      place.bad("cannot be run: " + e.getMessage());
      return null;
    }
  }
}
