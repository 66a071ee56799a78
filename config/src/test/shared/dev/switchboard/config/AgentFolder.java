package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// A folder with an agent's file in it, read with an environment of its own, whatever this process
/// has.
public record AgentFolder(Path folder, Map<String, String> environment) {
  /// A tool without a fault, to stand before or after others.
  public static final String GOOD_TOOL =
      """
      [[tools]]
      name = "good"
      webhook_url = "https://api.example.com/good"
      """;

  /// A folder without environment variables.
  public AgentFolder(Path folder) {
    this(folder, Map.of());
  }

  /// The agent of a file with that text.
  public AgentFile read(String toml, Tool... more) {
    return reader(toml, more.length == 0 ? JavaTools.UNKNOWN : JavaTools.of(List.of(more))).read();
  }

  /// The agent as `validate` reads it.
  public AgentFile check(String toml) {
    return reader(toml, JavaTools.UNKNOWN).check();
  }

  AgentReader reader(String toml, JavaTools java) {
    return new AgentReader(write("agent.toml", toml), Environment.of(environment::get), java);
  }

  /// All faults of such a file, as text, without the folder's name.
  public List<String> faults(String toml, Tool... more) {
    return texts(all(toml, more));
  }

  /// What `validate` says of it.
  public List<String> checked(String toml) {
    return texts(faults(() -> check(toml)));
  }

  List<ConfigException.Fault> all(String toml, Tool... more) {
    return faults(() -> read(toml, more));
  }

  private static List<ConfigException.Fault> faults(Supplier<AgentFile> reading) {
    try {
      return reading.get().warnings();
    } catch (ConfigException e) {
      return e.faults();
    }
  }

  private List<String> texts(List<ConfigException.Fault> faults) {
    return faults.stream().map(fault -> fault.toString().replace(folder + "/", "")).toList();
  }

  /// Writes a file of the folder.
  public Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
