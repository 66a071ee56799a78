package dev.switchboard.cli.edit;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.tomlj.MutableTomlArray;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;
import org.tomlj.TomlWriteOptions;

/// An agent's file that gets further tools. What is there stays as it is, to the byte.
public final class ToolFile {
  private static final List<String> TOOLS = List.of("tools");
  private static final List<String> NAMED = List.of("agent", "tools");
  private static final TomlWriteOptions LAYOUT =
      TomlWriteOptions.defaults().withMaxLineWidth(Integer.MAX_VALUE);

  private final Path file;
  private final String text;

  private ToolFile(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /// That file, there or not.
  ///
  /// @throws Refused when it is not text
  public static ToolFile open(Path file) throws Refused, IOException {
    return new ToolFile(file, Files.exists(file) ? StoredText.read(file).text() : "");
  }

  /// The tools as a text of their own.
  public static String text(List<Json> tools) {
    return with("", tools).toToml(LAYOUT);
  }

  /// The names of the tools that it defines.
  public List<String> names() {
    TomlParseResult document = Toml.parse(text);
    TomlArray tools = document.isArray(TOOLS) ? document.getArrayOrEmpty(TOOLS) : null;
    return tools == null
        ? List.of()
        : IntStream.range(0, tools.size())
            .mapToObj(tools::get)
            .filter(tool -> tool instanceof TomlTable)
            .map(tool -> String.valueOf(((TomlTable) tool).get(List.of("name"))))
            .toList();
  }

  /// Writes these tools behind those that it has, and their names into `agent.tools` where it is
  /// stated.
  ///
  /// @param tools each with the keys of its table
  /// @throws Refused when the file has an error, or would have one
  public void add(List<Json> tools) throws Refused, IOException {
    check(text, " has an error: ");
    TomlParseResult document = with(text, tools);
    String changed = document.toToml(LAYOUT);
    if (!Toml.equals(document, (TomlTable) Toml.parse(changed))) {
      throw new Refused(
          file
              + ": its tools are in a form that cannot be added to; write them as [[tools]]"
              + " tables");
    }
    check(changed, " would have an error: ");
    if (Files.exists(file)) {
      StoredText.read(file).replace(changed);
    } else {
      Files.writeString(file, changed);
    }
  }

  private static TomlParseResult with(String text, List<Json> tools) {
    TomlParseResult document = Toml.parse(text);
    MutableTomlArray all = document.getOrCreateArray(TOOLS);
    tools.forEach(tool -> all.add(ToolText.table(tool.tree())));
    if (document.isArray(NAMED)) {
      MutableTomlArray named = document.getOrCreateArray(NAMED);
      tools.forEach(tool -> named.add(tool.tree().path("name").stringValue()));
    }
    return document;
  }

  private void check(String toml, String sentence) throws Refused {
    try {
      AgentFile.preview(file, toml);
    } catch (ConfigException e) {
      ConfigException.Fault first =
          e.faults().stream()
              .filter(fault -> fault.severity() == Severity.ERROR)
              .findFirst()
              .orElseThrow();
      throw new Refused(file + sentence + first.message());
    }
  }
}
