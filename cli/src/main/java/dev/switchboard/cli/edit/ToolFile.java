package dev.switchboard.cli.edit;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.json.Json;
import dev.switchboard.toml.TomlText;
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

/// An agent's file to which tools or MCP servers are added. Existing parts keep their bytes.
public final class ToolFile {
  /// The kind of the added tables.
  public enum Kind {
    /// Tools that the file defines.
    TOOLS("tools"),
    /// MCP servers whose tools the agent has.
    SERVERS("agent", "mcp");

    private final List<String> path;

    Kind(String... path) {
      this.path = List.of(path);
    }

    private String header() {
      return "[[" + String.join(".", path) + "]]";
    }
  }

  private static final List<String> NAMED = List.of("agent", "tools");
  private static final TomlWriteOptions LAYOUT =
      TomlWriteOptions.defaults().withMaxLineWidth(Integer.MAX_VALUE);

  private final Path file;
  private final Kind kind;
  private final String text;

  private ToolFile(Path file, Kind kind, String text) {
    this.file = file;
    this.kind = kind;
    this.text = text;
  }

  /// That file, which need not exist.
  ///
  /// @throws EditRefusedException when it is not text
  public static ToolFile open(Path file, Kind kind) throws EditRefusedException, IOException {
    return new ToolFile(file, kind, Files.exists(file) ? StoredText.read(file).text() : "");
  }

  /// The tables as a separate text.
  public static String text(List<Json> tables, Kind kind) {
    return with("", tables, kind).toToml(LAYOUT);
  }

  /// The names of the existing ones.
  public List<String> names() {
    TomlParseResult document = TomlText.parse(text).document();
    TomlArray tools = document.isArray(kind.path) ? document.getArrayOrEmpty(kind.path) : null;
    return tools == null
        ? List.of()
        : IntStream.range(0, tools.size())
            .mapToObj(tools::get)
            .filter(tool -> tool instanceof TomlTable)
            .map(tool -> String.valueOf(((TomlTable) tool).get(List.of("name"))))
            .toList();
  }

  /// Adds these after the existing ones, and the names of tools to `agent.tools` if it is stated.
  ///
  /// @param tools each with the keys of its table
  /// @throws EditRefusedException when the file has an error, or would have one
  public void add(List<Json> tools) throws EditRefusedException, IOException {
    check(text, " has an error: ");
    TomlParseResult document = with(text, tools, kind);
    String changed = document.toToml(LAYOUT);
    if (!Toml.equals(document, (TomlTable) TomlText.parse(changed).document())) {
      throw new EditRefusedException(
          file
              + ": what it has is in a form that cannot be added to; write it as tables "
              + kind.header());
    }
    check(changed, " would have an error: ");
    if (Files.exists(file)) {
      StoredText.read(file).replace(changed);
    } else {
      Files.writeString(file, changed);
    }
  }

  private static TomlParseResult with(String text, List<Json> tools, Kind kind) {
    TomlParseResult document = TomlText.parse(text).document();
    MutableTomlArray all = document.getOrCreateArray(kind.path);
    tools.forEach(tool -> all.add(ToolText.table(tool.tree())));
    if (kind == Kind.TOOLS && document.isArray(NAMED)) {
      MutableTomlArray named = document.getOrCreateArray(NAMED);
      tools.forEach(tool -> named.add(tool.tree().path("name").stringValue()));
    }
    return document;
  }

  private void check(String toml, String sentence) throws EditRefusedException {
    try {
      AgentFile.preview(file, toml);
    } catch (ConfigException e) {
      ConfigException.Fault first =
          e.faults().stream()
              .filter(fault -> fault.severity() == Severity.ERROR)
              .findFirst()
              .orElseThrow();
      throw new EditRefusedException(file + sentence + first.message());
    }
  }
}
