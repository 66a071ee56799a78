package dev.switchboard.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/// The `switchboard` command.
public final class Main {
  static final String LOG_FORM = "java.util.logging.SimpleFormatter.format";

  private Main() {}

  /// Runs one command of this process and ends it with the command's exit code.
  public static void main(String[] args) {
    Terminal terminal =
        new Terminal(
            System.in, utf8(FileDescriptor.out), utf8(FileDescriptor.err), Terminal.wantsColour());
    // Before the first logger uses them: log messages contain untrusted text too.
    System.setOut(terminal.out());
    System.setErr(terminal.err());
    logSentences();
    // Picocli would search all jars for a class of Groovy.
    System.setProperty("picocli.disable.closures", "true");
    // Named, since SLF4J would search all jars for it; its choice does not concern users.
    System.setProperty("slf4j.provider", "org.slf4j.jul.JULServiceProvider");
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    int exit = run(args, terminal, Path.of(""));
    // The JVM logs each exit, and would search all jars for a logger, which takes half as long as a
    // command.
    if (exit != 0 || !endsByItself()) {
      System.exit(exit);
    }
  }

  /// Formats log messages like those of commands, unless logging is configured.
  static void logSentences() {
    if (System.getProperty("java.util.logging.config.file") == null) {
      System.getProperties().putIfAbsent(LOG_FORM, "switchboard: %5$s%6$s%n");
      System.getProperties()
          .putIfAbsent("java.util.logging.config.class", LogLevels.class.getName());
    }
  }

  /// Whether the process ends with this thread, since all others are daemons.
  private static boolean endsByItself() {
    Thread[] threads = new Thread[Thread.activeCount() + 1];
    int found = Thread.enumerate(threads);
    return found < threads.length
        && Arrays.stream(threads, 0, found)
            .allMatch(thread -> thread.isDaemon() || thread.equals(Thread.currentThread()));
  }

  /// The exit code of a command on these streams, without color: 0 for success, 1 for a failure, 2
  /// for wrong usage.
  static int run(String[] args, InputStream in, PrintStream out, PrintStream err) {
    return run(args, new Terminal(in, out, err, false), Path.of(""));
  }

  /// The exit code of a command on this terminal.
  ///
  /// @param folder to look for agents' files in
  static int run(String[] args, Terminal terminal, Path folder) {
    int exit = Commands.execute(terminal, folder, args);
    terminal.out().flush();
    terminal.err().flush();
    return exit;
  }

  // The streams of System use the locale's charset, and a POSIX locale would print ? for many
  // characters.
  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
