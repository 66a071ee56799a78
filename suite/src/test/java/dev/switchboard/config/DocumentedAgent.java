package dev.switchboard.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// An agent's file that stands on a page.
public final class DocumentedAgent {
  private static final Pattern SCHEMA = Pattern.compile("parameters_file = \"(.*)\"");

  private DocumentedAgent() {}

  /// What is wrong with it; every environment variable and file that it names is there.
  public static List<ConfigException.Fault> errors(Path folder, String toml) throws IOException {
    for (MatchResult schema : SCHEMA.matcher(toml).results().toList()) {
      Files.writeString(folder.resolve(schema.group(1)), "{\"type\":\"object\"}");
    }
    Path file = Files.writeString(folder.resolve("agent.toml"), toml);
    try {
      new AgentReader(file, Environment.of(name -> "as documented"), JavaTools.UNKNOWN).read();
      return List.of();
    } catch (ConfigException e) {
      return e.faults();
    }
  }
}
