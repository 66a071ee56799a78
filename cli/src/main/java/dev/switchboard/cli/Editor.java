package dev.switchboard.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The user's editor.
///
/// @param command shell words, which may contain options, as in `code --wait`
record Editor(String command) {
  /// The editor by git's rules: `$VISUAL` if the terminal can show it, or else `$EDITOR`, or else
  /// `vi`.
  static Editor of(Map<String, String> environment) {
    boolean dumb = environment.getOrDefault("TERM", "dumb").equals("dumb");
    String visual = dumb ? "" : environment.getOrDefault("VISUAL", "");
    String command = visual.isBlank() ? environment.getOrDefault("EDITOR", "") : visual;
    return new Editor(command.isBlank() ? "vi" : command);
  }

  /// The editor of this process's user, null without a terminal.
  static @Nullable Editor here() {
    return Terminal.isTyped() ? of(System.getenv()) : null;
  }

  /// Opens a file in the editor, and waits until it is closed.
  ///
  /// @throws Failure when the editor fails
  void open(Path file) {
    int exit = ended(file);
    if (exit != 0) {
      throw Failure.work("Nothing was changed: '%s' ended with %d.".formatted(command, exit), null);
    }
  }

  private int ended(Path file) {
    Process process;
    try {
      process =
          new ProcessBuilder("sh", "-c", command + " \"$1\"", "sh", file.toString())
              .inheritIO()
              .start();
    } catch (IOException e) {
      throw Failure.work("Nothing was changed: '" + command + "' cannot be started.", e);
    }
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.work("Nothing was changed: the wait for '" + command + "' was cut short.", e);
    }
  }
}
