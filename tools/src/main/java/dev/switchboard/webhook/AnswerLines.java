package dev.switchboard.webhook;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.ResponseTooLargeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.Response;
import okio.BufferedSource;
import okio.ByteString;

/// A streamed response (`application/x-ndjson`), whose lines are passed on as they arrive.
final class AnswerLines {
  private static final ByteString MARK = ByteString.decodeHex("efbbbf");

  private AnswerLines() {}

  static boolean are(Response response) {
    MediaType type = response.body().contentType();
    return type != null && type.type().equals("application") && type.subtype().equals("x-ndjson");
  }

  /// The response, whose body is the last line that is not blank.
  ///
  /// @param limit of the bytes of all lines together
  /// @param onLine receives each line, including the last
  /// @throws ResponseTooLargeException when they exceed the limit
  static HttpAnswer read(Response response, long limit, Call call, Consumer<String> onLine)
      throws IOException {
    BufferedSource body = response.body().source();
    long left = limit;
    skipMark(body);
    String last = "";
    while (!body.exhausted()) {
      long end = body.indexOf((byte) '\n', 0, left + 1);
      long length = end < 0 ? body.getBuffer().size() : end + 1;
      if (length > left) {
        call.cancel();
        throw new ResponseTooLargeException(limit);
      }
      String line = body.readString(length, StandardCharsets.UTF_8).strip();
      left -= length;
      if (!line.isEmpty()) {
        last = line;
        onLine.accept(line);
      }
    }
    return new HttpAnswer(response.code(), null, last, false, true);
  }

  /// Skips a byte order mark, which some servers put before their JSON.
  static void skipMark(BufferedSource body) throws IOException {
    if (body.rangeEquals(0, MARK)) {
      body.skip(MARK.size());
    }
  }
}
