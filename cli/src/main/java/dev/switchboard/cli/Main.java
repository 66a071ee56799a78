package dev.switchboard.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The `switchboard` command.
public final class Main {
  static final String LOG_FORM = "java.util.logging.SimpleFormatter.format";

  private static final String BROKEN_PIPE = "Broken pipe";

  private Main() {}

  /// Runs one command of this process and ends it with the command's exit code.
  public static void main(String[] args) {
    StandardOutput out = new StandardOutput();
    Terminal terminal =
        new Terminal(
            System.in,
            utf8(out),
            utf8(new FileOutputStream(FileDescriptor.err)),
            Terminal.wantsColour());
    // Before the first logger uses them: log messages contain untrusted text too.
    System.setOut(terminal.out());
    System.setErr(terminal.err());
    logSentences();
    // Picocli would search all jars for a class of Groovy.
    System.setProperty("picocli.disable.closures", "true");
    // Named, since SLF4J would search all jars for it; its choice does not concern users.
    System.setProperty("slf4j.provider", "org.slf4j.jul.JULServiceProvider");
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    int exit = run(args, terminal, Path.of(""), out::fault);
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
    return run(args, terminal, folder, () -> null);
  }

  /// @param fault why the output cannot be written, null if that is not known
  private static int run(
      String[] args, Terminal terminal, Path folder, Supplier<@Nullable String> fault) {
    int exit = Commands.execute(terminal, folder, args);
    boolean printed = !terminal.out().checkError();
    String why = fault.get();
    // A reader such as head has what it wants.
    if (!printed && exit == 0 && !BROKEN_PIPE.equals(why)) {
      terminal
          .err()
          .println(
              "switchboard: Standard output cannot be written"
                  + (why == null ? "." : ": " + Plain.line(why) + "."));
    }
    terminal.err().flush();
    return printed || exit != 0 ? exit : 1;
  }

  // The streams of System use the locale's charset, and a POSIX locale would print ? for many
  // characters.
  private static PrintStream utf8(OutputStream stream) {
    return new PrintStream(stream, true, StandardCharsets.UTF_8);
  }
}
