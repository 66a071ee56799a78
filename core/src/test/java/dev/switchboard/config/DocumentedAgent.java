package dev.switchboard.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An agent's file that stands on a page; every environment variable that it names is set.
public final class DocumentedAgent {
  private DocumentedAgent() {}

  /// What is wrong with it.
  public static List<ConfigFault> errors(Path folder, String toml) throws IOException {
    Path file = Files.writeString(folder.resolve("agent.toml"), toml);
    try {
      new AgentReader(file, name -> "as documented", List.of()).read();
      return List.of();
    } catch (ConfigException e) {
      return e.faults();
    }
  }
}
