package dev.switchboard.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// An agent's file that is read with an environment of its own, whatever this process has.
public record TestedFile(Path folder, Map<String, String> environment) {
  /// The agent of a file with that text.
  public AgentFile read(String toml) {
    return reader(toml).read();
  }

  /// The agent as `validate` reads it.
  public AgentFile check(String toml) {
    return reader(toml).check();
  }

  /// All faults of such a file, as text, without the folder's name.
  public List<String> faults(String toml) {
    return faults(reader(toml)::read);
  }

  /// What `validate` says of it.
  public List<String> checked(String toml) {
    return faults(reader(toml)::check);
  }

  /// The keys of a table that is bound to that record.
  public static List<String> keys(Class<?> table) {
    return Binder.keys(table);
  }

  private AgentReader reader(String toml) {
    try {
      Path file = Files.writeString(folder.resolve("agent.toml"), toml);
      return new AgentReader(file, Environment.of(environment::get), JavaTools.UNKNOWN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Reading {
    AgentFile read();
  }

  private List<String> faults(Reading reading) {
    List<ConfigException.Fault> faults;
    try {
      faults = reading.read().warnings();
    } catch (ConfigException e) {
      faults = e.faults();
    }
    return faults.stream().map(fault -> fault.toString().replace(folder + "/", "")).toList();
  }
}
