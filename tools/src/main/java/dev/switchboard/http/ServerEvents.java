package dev.switchboard.http;

import java.io.IOException;
import java.time.Duration;
import okio.Buffer;
import okio.BufferedSource;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/// Server-sent events as they arrive (HTML, section 9.2.6): their data and, for senders that do not
/// repeat it there, their name. Comments and events without data are skipped.
///
/// For one thread at a time.
public final class ServerEvents {
  private static final char BYTE_ORDER_MARK = '\ufeff';
  private static final ByteString LINE_ENDS = ByteString.encodeUtf8("\r\n");
  private static final int LONGEST_ID = 1_000; // characters of an id that is kept

  private final BufferedSource source;
  private final long limit;
  private boolean begun;
  private boolean returned; // whether the latest line ended with a carriage return
  private String name = "";
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

  /// The name of the event that was given last, empty if it has none.
  public String name() {
    return name;
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
    name = "";
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
        name = "";
      } else {
        note(line);
      }
    }
    return data.isEmpty() ? null : data.toString();
  }

  private void note(String line) {
    String stated = value(line, "event");
    if (stated != null) {
      name = stated;
    }
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
    if (returned && source.request(1) && source.getBuffer().getByte(0) == '\n') {
      source.skip(1);
    }
    returned = false;
    long end = end(left);
    if (end == 0 && source.exhausted()) {
      return null;
    }
    String line = source.readUtf8(end);
    if (!source.getBuffer().exhausted()) {
      returned = source.readByte() == '\r';
    }
    if (!begun) {
      begun = true;
      return !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK ? line.substring(1) : line;
    }
    return line;
  }

  /// The length of the next line, up to its end or that of the stream.
  private long end(long left) throws IOException {
    long searched = 0;
    while (source.request(searched + 1)) {
      Buffer buffer = source.getBuffer();
      long end = buffer.indexOfElement(LINE_ENDS, searched);
      searched = end < 0 ? buffer.size() : end;
      if (searched > left) {
        throw new ResponseTooLargeException(limit);
      }
      if (end >= 0) {
        return end;
      }
    }
    return searched;
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
