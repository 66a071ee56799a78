package dev.switchboard.server.access;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The limits and the form of every request, whatever its route.
final class RequestShape {
  /// The maximum bytes of a body.
  static final int MOST_BODY = 1 << 20;

  /// The maximum bytes of a body that may contain files of a user's message.
  static final int MOST_BODY_WITH_FILES = 8 << 20;

  /// The maximum bytes of the request line and the headers together.
  static final int MOST_HEAD = 16 << 10;

  /// The maximum characters of a path with its query.
  static final int MOST_URL = 8 << 10;

  /// The first parts of the paths of dialects, as in `/agui/{agent}`, below which a message of the
  /// user is sent.
  static final List<String> DIALECTS = List.of("agui", "ai");

  private static final System.Logger LOG = System.getLogger(RequestShape.class.getName());
  private static final int LARGE = 16 << 10;
  private static final Duration MOST_PASSING = Duration.ofSeconds(5);

  // The limit of unauthenticated requests.
  private static final int MOST_UNKNOWN = 4 << 10;

  private static final Set<String> NAMES_OF_TOKENS =
      Set.of(
          "token", "access_token", "bearer", "bearer_token", "authorization", "api_key", "apikey");

  private RequestShape() {}

  /// @throws Problem when the request exceeds a limit or has another form
  static void check(Context ctx) {
    String path = ctx.path();
    String query = ctx.queryString();
    if (path.length() + (query == null ? 0 : query.length() + 1) > MOST_URL) {
      throw Problem.tooLarge(414, "The URL is longer than 8 KiB.");
    }
    checkPath(path);
    checkQuery(query);
    String coding = String.join(",", Collections.list(ctx.req().getHeaders("Transfer-Encoding")));
    if (!coding.isEmpty() && !coding.equalsIgnoreCase("chunked")) {
      throw Problem.badRequest("The body must be sent as it is, or in chunks.");
    }
    checkCharset(ctx.header("Content-Type"));
  }

  /// Whether the request has a body of more than 16 KiB, or of an unknown length.
  static boolean hasLargeBody(Context ctx) {
    long length = ctx.req().getContentLengthLong();
    return length > LARGE || length < 0 && ctx.header("Transfer-Encoding") != null;
  }

  /// Whether the body may be larger than those without files.
  static boolean mayHaveFiles(Context ctx) {
    long length = ctx.req().getContentLengthLong();
    return length > MOST_BODY || length < 0;
  }

  /// The body of an unauthenticated request.
  ///
  /// @throws Problem `too_large` when it has more than 4 KiB
  static String shortBody(Context ctx) {
    if (ctx.req().getContentLengthLong() <= MOST_UNKNOWN) {
      try {
        byte[] body = ctx.bodyInputStream().readNBytes(MOST_UNKNOWN + 1);
        if (body.length <= MOST_UNKNOWN) {
          return new String(body, StandardCharsets.UTF_8);
        }
      } catch (IOException e) {
        throw Problem.badRequest("The body did not come.");
      }
    }
    throw Problem.tooLarge(413, "The body is larger than 4 KiB.");
  }

  /// Reads the body to its end, if it arrives within a few seconds, and discards it.
  static void passOverBody(Context ctx) {
    long begun = System.nanoTime();
    byte[] part = new byte[8 << 10];
    try (InputStream body = ctx.bodyInputStream()) {
      while (body.read(part) >= 0 && System.nanoTime() - begun < MOST_PASSING.toNanos()) {}
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the body of a refused request broke off", e);
    }
  }

  /// A path has one spelling: without segments that a parser may remove or join.
  private static void checkPath(String path) {
    String[] segments = path.split("/", -1);
    for (int i = 1; i < segments.length; i++) {
      String text = decoded(segments[i]);
      boolean isLast = i == segments.length - 1;
      if (text == null
          || text.isEmpty() && !isLast
          || text.equals(".")
          || text.equals("..")
          || segments[i].indexOf(';') >= 0
          || text.chars().anyMatch(Character::isISOControl)) {
        throw Problem.badRequest("The path is not in its one plain spelling.");
      }
    }
  }

  /// Tokens in URLs would appear in logs, histories and `Referer` headers.
  private static void checkQuery(@Nullable String query) {
    if (query == null) {
      return;
    }
    for (String pair : query.split("[&;]", -1)) {
      String text = decoded(pair.replace('+', ' '));
      if (text == null) {
        throw Problem.badRequest("The query is not UTF-8 in percent-encoding.");
      }
      String name = text.split("=", 2)[0].strip().toLowerCase(Locale.ROOT);
      if (NAMES_OF_TOKENS.contains(name) || text.contains(Tokens.PREFIX)) {
        throw Problem.badRequest(
            "A token must be in the header 'Authorization: Bearer', never in a URL; revoke the one"
                + " that was.");
      }
    }
  }

  private static void checkCharset(@Nullable String contentType) {
    if (contentType == null) {
      return;
    }
    for (String part : contentType.toLowerCase(Locale.ROOT).split(";", -1)) {
      String option = part.strip();
      if (option.startsWith("charset")
          && !option.replace(" ", "").replace("\"", "").matches("charset=utf-?8")) {
        throw Problem.badRequest("The body must be UTF-8.");
      }
    }
  }

  /// The text without percent-encoding; null if that is invalid, or not UTF-8.
  private static @Nullable String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    try {
      String bytes = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return null;
    }
  }
}
