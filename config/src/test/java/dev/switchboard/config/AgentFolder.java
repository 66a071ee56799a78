package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A folder with an agent's file in it, read with an environment of its own.
record AgentFolder(Path folder, Map<String, String> environment) {
  /// A tool without a fault, to stand before or after others.
  static final String GOOD_TOOL =
      """
      [[tools]]
      name = "good"
      webhook_url = "https://api.example.com/good"
      """;

  AgentFolder(Path folder) {
    this(folder, Map.of());
  }

  AgentFile read(String toml, Tool... more) {
    return reader(toml, more.length == 0 ? JavaTools.UNKNOWN : JavaTools.of(List.of(more))).read();
  }

  AgentReader reader(String toml, JavaTools java) {
    return new AgentReader(write("agent.toml", toml), Environment.of(environment::get), java);
  }

  /// All faults of such a file, as text, without the folder's name.
  List<String> faults(String toml, Tool... more) {
    return all(toml, more).stream()
        .map(fault -> fault.toString().replace(folder + "/", ""))
        .toList();
  }

  List<ConfigException.Fault> all(String toml, Tool... more) {
    try {
      return read(toml, more).warnings();
    } catch (ConfigException e) {
      return e.faults();
    }
  }

  Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
