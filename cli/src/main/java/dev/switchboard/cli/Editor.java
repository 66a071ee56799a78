package dev.switchboard.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The editor of the person at the terminal.
///
/// @param command words for the shell, so that they may hold options, as in `code --wait`
record Editor(String command) {
  /// The editor as git finds it: `$VISUAL` where the terminal can show it, else `$EDITOR`, else
  /// `vi`.
  static Editor of(Map<String, String> environment) {
    boolean dumb = environment.getOrDefault("TERM", "dumb").equals("dumb");
    String visual = dumb ? "" : environment.getOrDefault("VISUAL", "");
    String command = visual.isBlank() ? environment.getOrDefault("EDITOR", "") : visual;
    return new Editor(command.isBlank() ? "vi" : command);
  }

  /// The editor of the user at this process, null without a terminal.
  static @Nullable Editor here() {
    return Terminal.isTyped() ? of(System.getenv()) : null;
  }

  /// Opens a file in it, and waits for it to be closed.
  ///
  /// @throws Failure when the editor says that it failed
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
