package dev.switchboard.http;

import java.io.IOException;
import java.time.Duration;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/// Server-sent events as they arrive (HTML, section 9.2.6): their data, since senders also name the
/// event in it. Comments and events without data are skipped.
///
/// For one thread at a time.
public final class ServerEvents {
  private static final char BYTE_ORDER_MARK = '\ufeff';
  private static final int LONGEST_ID = 1_000; // characters of an id that is kept

  private final BufferedSource source;
  private final long limit;
  private boolean begun;
  private @Nullable String lastId;
  private @Nullable Duration retry;

  /// The events of that source, which has its own limit.
  public ServerEvents(BufferedSource source) {
    this(source, Long.MAX_VALUE);
  }

  /// The events of that source, each with at most that many bytes.
  public ServerEvents(BufferedSource source, long limit) {
    this.source = source;
    this.limit = limit;
  }

  /// The id of the latest event that had one, to resume a stream; null for none.
  public @Nullable String lastId() {
    return lastId;
  }

  /// How long to wait before the stream is resumed; null if it was not stated.
  public @Nullable Duration retry() {
    return retry;
  }

  /// The data of the next event, its lines joined; null at the end.
  ///
  /// @throws ResponseTooLargeException when the event is too long
  /// @throws IOException when the stream breaks off
  public @Nullable String next() throws IOException {
    StringBuilder data = new StringBuilder();
    boolean any = false;
    long left = limit;
    for (String line = line(left); line != null; line = line(left)) {
      left -= line.length();
      if (line.isEmpty() && !data.isEmpty()) {
        return data.toString();
      }
      String part = value(line, "data");
      if (part != null) {
        data.append(any ? "\n" : "").append(part);
        any = true;
      } else if (line.isEmpty()) {
        any = false;
        left = limit;
      } else {
        note(line);
      }
    }
    return data.isEmpty() ? null : data.toString();
  }

  private void note(String line) {
    String id = value(line, "id");
    if (id != null && id.indexOf('\0') < 0 && id.length() <= LONGEST_ID) {
      lastId = id;
    }
    String millis = value(line, "retry");
    if (millis != null && millis.matches("[0-9]{1,9}")) {
      retry = Duration.ofMillis(Long.parseLong(millis));
    }
  }

  private @Nullable String line(long left) throws IOException {
    if (left < limit || limit < Long.MAX_VALUE) {
      long end = source.indexOf((byte) '\n', 0, Math.max(left, 0) + 1);
      if (end < 0 && source.request(Math.max(left, 0) + 1)) {
        throw new ResponseTooLargeException(limit);
      }
    }
    String line = source.readUtf8Line();
    if (line != null && !begun) {
      begun = true;
      return !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK ? line.substring(1) : line;
    }
    return line;
  }

  /// The value of that field, null if the line is another field.
  private static @Nullable String value(String line, String field) {
    if (line.equals(field)) {
      return "";
    }
    if (!line.startsWith(field + ":")) {
      return null;
    }
    int from = field.length() + 1;
    return line.substring(line.startsWith(" ", from) ? from + 1 : from);
  }
}
