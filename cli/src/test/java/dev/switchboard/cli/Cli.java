package dev.switchboard.cli;

import dev.switchboard.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        Main.run(
            args,
            in,
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
