package dev.switchboard.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// A scripted answer of a [StubWebhook]: correct, slow, or broken. Immutable.
public final class StubAnswer {
  /// How the server sends an answer.
  enum Manner {
    WHOLE,
    DRIP,
    ENDLESS,
    GARBAGE,
    RESET,
    HANG
  }

  private final Manner manner;
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;
  private final Duration delay;
  private final Duration pause;

  private StubAnswer(
      Manner manner,
      int status,
      Map<String, String> headers,
      byte[] body,
      Duration delay,
      Duration pause) {
    this.manner = manner;
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.delay = delay;
    this.pause = pause;
  }

  /// An answer with this status, the content type JSON, and no body.
  public static StubAnswer status(int status) {
    return new StubAnswer(Manner.WHOLE, status, Map.of(), new byte[0], Duration.ZERO, Duration.ZERO)
        .contentType("application/json");
  }

  /// An answer with this status and body.
  public static StubAnswer of(int status, String body) {
    return status(status).body(body);
  }

  /// A 200 with an endless body.
  public static StubAnswer endless() {
    return of(200, "0123456789abcdef".repeat(256)).manner(Manner.ENDLESS, Duration.ZERO);
  }

  /// Bytes that are not HTTP.
  public static StubAnswer garbage() {
    return of(200, "\u0001\u0002 this is not HTTP\n\n").manner(Manner.GARBAGE, Duration.ZERO);
  }

  /// A connection reset instead of an answer.
  public static StubAnswer reset() {
    return status(200).manner(Manner.RESET, Duration.ZERO);
  }

  /// No answer; the connection stays open.
  public static StubAnswer hang() {
    return status(200).manner(Manner.HANG, Duration.ZERO);
  }

  /// This answer with another body, as UTF-8.
  public StubAnswer body(String body) {
    return body(body.getBytes(StandardCharsets.UTF_8));
  }

  /// This answer with another body.
  public StubAnswer body(byte[] body) {
    return new StubAnswer(manner, status, headers, body.clone(), delay, pause);
  }

  /// This answer with a header added or replaced.
  public StubAnswer header(String name, String value) {
    Map<String, String> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    more.putAll(headers);
    more.put(name, value);
    return new StubAnswer(manner, status, Collections.unmodifiableMap(more), body, delay, pause);
  }

  /// This answer with another content type.
  public StubAnswer contentType(String type) {
    return header("Content-Type", type);
  }

  /// This answer with a Content-Length, which may be wrong.
  public StubAnswer contentLength(long length) {
    return header("Content-Length", String.valueOf(length));
  }

  /// This answer with its body compressed by gzip.
  public StubAnswer gzip() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return body(bytes.toByteArray()).header("Content-Encoding", "gzip");
  }

  /// This answer, sent that long after the request arrived.
  public StubAnswer delay(Duration delay) {
    return new StubAnswer(manner, status, headers, body, delay, pause);
  }

  /// This answer with its body sent byte by byte, with a pause after each.
  public StubAnswer drip(Duration pause) {
    return manner(Manner.DRIP, pause);
  }

  Manner manner() {
    return manner;
  }

  int status() {
    return status;
  }

  Map<String, String> headers() {
    return headers;
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  byte[] body() {
    return body;
  }

  Duration delay() {
    return delay;
  }

  Duration pause() {
    return pause;
  }

  private StubAnswer manner(Manner manner, Duration pause) {
    return new StubAnswer(manner, status, headers, body, delay, pause);
  }
}
