package dev.switchboard.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process of [LoadedServer].
///
/// For one thread at a time.
final class LoadedProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final int port;

  /// @param kind what it serves
  /// @param pace of its words, in milliseconds
  /// @param folder where its store is
  LoadedProcess(String kind, int pace, Path folder) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.internal.verbosity=ERROR"));
    String more = System.getProperty("switchboard.load.java");
    if (more != null) {
      command.addAll(List.of(more.replace("KIND", kind).split(" ")));
    }
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            LoadedServer.class.getName(),
            kind,
            String.valueOf(pace),
            folder.toString()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    out = process.inputReader();
    port = (int) number();
  }

  int port() {
    return port;
  }

  /// The number that it answers with.
  long ask(String what) throws IOException {
    process.getOutputStream().write((what + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return number();
  }

  /// The next line that is a number: a profiler says something, too.
  private long number() throws IOException {
    String line = out.readLine();
    while (!line.matches("[0-9]+")) {
      line = out.readLine();
    }
    return Long.parseLong(line);
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
