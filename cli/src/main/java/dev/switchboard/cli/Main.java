package dev.switchboard.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// The `switchboard` command.
public final class Main {
  static final String LOG_FORM = "java.util.logging.SimpleFormatter.format";

  // Kept, since loggers that no one holds forget their level.
  private static final Logger OF_JAVALIN = Logger.getLogger("io.javalin");
  private static final List<Logger> OF_HOST_HEADERS =
      List.of(
          Logger.getLogger("org.eclipse.jetty.util.HostPort"),
          Logger.getLogger("org.eclipse.jetty.http.HttpParser"));

  private Main() {}

  /// Runs one command of this process and ends it with the command's exit code.
  public static void main(String[] args) {
    Terminal terminal =
        new Terminal(
            System.in, utf8(FileDescriptor.out), utf8(FileDescriptor.err), Terminal.wantsColour());
    // Before the first logger takes them: what is logged holds words of others too.
    System.setOut(terminal.out());
    System.setErr(terminal.err());
    // What a failing tool throws is in its result; only what is reported nowhere else is logged.
    Logger.getLogger("").setLevel(Level.WARNING);
    // Why a server does not start is told by its command.
    OF_JAVALIN.setLevel(Level.OFF);
    // A request that is refused is no trouble of the server's.
    OF_HOST_HEADERS.forEach(logger -> logger.setLevel(Level.SEVERE));
    logSentences();
    // Users of a command do not care which library found no logger.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    System.exit(run(args, terminal));
  }

  /// A line of the log reads like what a command says by itself, unless its form is configured.
  static void logSentences() {
    if (System.getProperty("java.util.logging.config.file") == null) {
      System.getProperties().putIfAbsent(LOG_FORM, "switchboard: %5$s%6$s%n");
    }
  }

  /// The exit code of a command on these streams, without colour: 0 done, 1 the work failed, 2
  /// wrong usage.
  static int run(String[] args, InputStream in, PrintStream out, PrintStream err) {
    return run(args, new Terminal(in, out, err, false));
  }

  private static int run(String[] args, Terminal terminal) {
    int exit = Commands.execute(terminal, Path.of(""), args);
    terminal.out().flush();
    terminal.err().flush();
    return exit;
  }

  // The streams of System follow the locale, and would write ? for what a bare POSIX one lacks.
  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
