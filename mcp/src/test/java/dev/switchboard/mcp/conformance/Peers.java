package dev.switchboard.mcp.conformance;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The programs of others in `mcp/src/test/servers`, which `npm ci` installs there.
final class Peers {
  private static final long PATIENCE_MINUTES = 4;

  private Peers() {}

  /// The folder of them.
  static Path folder() {
    Path folder = Repository.file("mcp/src/test/servers");
    if (!Files.isDirectory(folder.resolve("node_modules"))) {
      throw new IllegalStateException("first run: npm ci --prefix mcp/src/test/servers");
    }
    return folder;
  }

  /// Node, of a version that they need.
  static String node() {
    return folder().resolve("node_modules/node/bin/node").toString();
  }

  /// A script of a package there.
  static String script(String path) {
    return folder().resolve("node_modules").resolve(path).toString();
  }

  /// What a program prints, on either stream.
  ///
  /// @param words the script and its arguments
  static String output(Path into, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(node()));
    command.addAll(List.of(words));
    Path output = Files.createTempFile(into, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(into.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("HOME", into.toString());
    Process process = builder.start();
    try {
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        throw new IOException("no end after " + PATIENCE_MINUTES + " minutes: " + command);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
