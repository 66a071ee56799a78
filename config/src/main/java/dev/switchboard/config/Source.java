package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.toml.TextFile;
import dev.switchboard.toml.TextTree;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A text that was read, and where its faults go.
///
/// @param file its name in faults
/// @param faults receives its faults
record Source(String file, TextTree text, FaultList faults) {
  /// The file's text, or null if it cannot be read or is not TOML; the faults then say why.
  static @Nullable Source read(Path file, FaultList faults) {
    try {
      return read(file.toString(), TextFile.read(file), faults);
    } catch (TextFile.Unreadable e) {
      FaultClass kind = e.line() == 0 ? FaultClass.UNREADABLE : FaultClass.SYNTAX;
      String message = "the file " + e.reason();
      faults.add(
          new ConfigException.Fault(
              file.toString(), e.line(), e.column(), Severity.ERROR, kind, message));
      return null;
    }
  }

  /// The text, or null if it is not TOML; the faults then have the position.
  static @Nullable Source read(String file, String text, FaultList faults) {
    TextTree tree =
        TextTree.ofToml(
            text,
            (at, message) ->
                faults.add(
                    new ConfigException.Fault(
                        file, at.line(), at.column(), Severity.ERROR, FaultClass.SYNTAX, message)));
    return tree == null || faults.haveErrors() ? null : new Source(file, tree, faults);
  }
}
