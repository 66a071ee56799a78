package dev.switchboard.config;

import dev.switchboard.config.Binder.Key;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The table `server` of a file beside the agents' files: the options of `switchboard serve`.
///
/// @param port null for the default, as the others are
public record ServerFile(
    @Key(most = 65_535) @Nullable Integer port,
    @Nullable String host,
    @Nullable String publicUrl,
    List<String> trustedProxy,
    List<String> allowOrigin,
    boolean clientSystem,
    @Key(most = 65_535) @Nullable Integer managementPort,
    @Nullable String onPending,
    @Nullable String onPendingSecretEnv,
    @Nullable String tokens,
    @Nullable String tokenEnv) {
  record Toml(@Nullable ServerFile server) {}

  public ServerFile {
    trustedProxy = List.copyOf(trustedProxy);
    allowOrigin = List.copyOf(allowOrigin);
  }

  /// Its keys, in the order of the components.
  public static List<String> keys() {
    return Binder.keys(ServerFile.class);
  }

  /// The table of that file.
  ///
  /// @throws ConfigException when the file cannot be read, or has a fault
  public static ServerFile read(Path file) {
    FaultList faults = new FaultList();
    Toml toml = null;
    try {
      Source source = TomlSource.read(file.toString(), TextFile.read(file), faults);
      toml = source == null ? null : Binder.bound(source.root(""), Toml.class);
      if (source != null && toml.server == null && !faults.haveErrors()) {
        source.root("").bad("needs a table [server]");
      }
    } catch (TextFile.Unreadable e) {
      FaultClass kind = e.line() == 0 ? FaultClass.UNREADABLE : FaultClass.SYNTAX;
      faults.add(
          new ConfigException.Fault(
              file.toString(),
              e.line(),
              e.column(),
              Severity.ERROR,
              kind,
              "the file " + e.reason()));
    }
    if (faults.haveErrors() || toml == null || toml.server == null) {
      throw new ConfigException(faults.inOrder());
    }
    return toml.server;
  }
}
