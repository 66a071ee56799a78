package dev.switchboard.cli;

import dev.switchboard.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntBiFunction;
import tools.jackson.databind.JsonNode;

/// What a command line did when it was run in this process.
record Cli(int exit, String out, String err) {
  static Cli run(String... args) {
    return runWith("", args);
  }

  static Cli runWith(String in, String... args) {
    return runWith(new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), args);
  }

  static Cli runWith(InputStream in, String... args) {
    return captured((out, err) -> Main.run(args, in, out, err));
  }

  /// What it did when agents' files were looked for in that folder.
  static Cli runIn(Path folder, String... args) {
    InputStream in = InputStream.nullInputStream();
    return captured(
        (out, err) -> Commands.execute(new Terminal(in, out, err, false), folder, args));
  }

  /// What it did when its output could not be written.
  static Cli runFull(Path folder, String... args) {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    PrintStream out = new PrintStream(full, true, StandardCharsets.UTF_8);
    InputStream in = InputStream.nullInputStream();
    return captured((unused, err) -> Main.run(args, new Terminal(in, out, err, false), folder));
  }

  private static Cli captured(ToIntBiFunction<PrintStream, PrintStream> command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        command.applyAsInt(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Cli(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /// The lines of standard output, each read as JSON.
  List<JsonNode> json() {
    return out.lines().map(line -> Json.text(line).tree()).toList();
  }
}
