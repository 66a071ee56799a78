package dev.switchboard.mcp.client;

import dev.switchboard.text.InvisibleCharacters;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The standard error of a program, for the log. Its end is kept. It is logged at DEBUG only, since
/// it may contain data of requests.
///
/// Thread-safe.
final class ServerErrors {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final int KEPT = 2_000;
  private static final Pattern ERROR =
      Pattern.compile("^[^\\n]{0,200}?\\b\\w*(?:Error|Exception)\\b", Pattern.MULTILINE);
  private static final int SHOWN = 500;
  private static final long LOGGED = 1 << 20; // bytes
  private static final Duration REST = Duration.ofMillis(200);

  private final String server;
  private final StringBuilder end = new StringBuilder(); // guarded by this
  private final Thread reading;

  private ServerErrors(String server, InputStream stream) {
    this.server = server;
    // A platform thread: reading a pipe blocks the carrier of a virtual thread.
    reading =
        Thread.ofPlatform().daemon().name("mcp " + server + " errors").start(() -> read(stream));
  }

  /// Reads that stream from now on.
  static ServerErrors of(String server, InputStream stream) {
    return new ServerErrors(server, stream);
  }

  private void read(InputStream stream) {
    byte[] buffer = new byte[8_192];
    long logged = 0;
    try (stream) {
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        String text = new String(buffer, 0, read, StandardCharsets.UTF_8);
        append(text);
        logged += read;
        if (logged <= LOGGED) {
          LOG.log(
              Level.DEBUG,
              "MCP server ''{0}'' says: {1}",
              server,
              InvisibleCharacters.shown(text.strip()));
        }
      }
    } catch (IOException e) {
      // The end of the stream.
    }
  }

  private synchronized void append(String text) {
    end.append(text);
    if (end.length() > 2 * KEPT) {
      end.delete(0, end.length() - KEPT);
    }
  }

  /// Its last output, on one line, once the program has ended.
  String end() {
    try {
      boolean unused = reading.join(REST);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      String text = fromError(end.toString().strip());
      String last = text.substring(0, Math.min(SHOWN, text.length()));
      return InvisibleCharacters.shown(last.replaceAll("\\s+", " "));
    }
  }

  /// The text from the first line on that names an error, if there is one; otherwise its end.
  private static String fromError(String text) {
    Matcher error = ERROR.matcher(text);
    return error.find()
        ? text.substring(error.start()).strip().replaceAll("\n\\s+at [^\n]*", "")
        : text.substring(Math.max(0, text.length() - SHOWN));
  }
}
