package dev.switchboard.provider;

import java.io.IOException;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/// Server-sent events as they come in (HTML, section 9.2.6): their data alone, since every provider
/// names the event in it too. Comments and events without data are passed over.
final class ServerEvents {
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final BufferedSource source;
  private boolean begun;

  ServerEvents(BufferedSource source) {
    this.source = source;
  }

  /// The data of the next event, its lines joined; null at the end.
  @Nullable String next() throws IOException {
    StringBuilder data = new StringBuilder();
    boolean any = false;
    for (String line = line(); line != null; line = line()) {
      if (line.isEmpty() && !data.isEmpty()) {
        return data.toString();
      }
      String part = data(line);
      if (part != null) {
        data.append(any ? "\n" : "").append(part);
        any = true;
      } else if (line.isEmpty()) {
        any = false;
      }
    }
    return data.isEmpty() ? null : data.toString();
  }

  private @Nullable String line() throws IOException {
    String line = source.readUtf8Line();
    if (line != null && !begun) {
      begun = true;
      return !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK ? line.substring(1) : line;
    }
    return line;
  }

  private static @Nullable String data(String line) {
    if (line.equals("data")) {
      return "";
    }
    if (!line.startsWith("data:")) {
      return null;
    }
    return line.startsWith("data: ") ? line.substring(6) : line.substring(5);
  }
}
