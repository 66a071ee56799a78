package dev.switchboard.server.access;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// An error as a client reads it: `application/problem+json` (RFC 9457) with a `code`, or, on the
/// paths of OpenAI's API, its object `error`.
///
/// For one thread at a time.
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final String V1 = "/v1/";

  /// The first words of paths of OpenAI's API below `/v1/`, also those that are not served, which
  /// its clients ask for; `conversations` is our own.
  private static final Set<String> OF_OPENAI =
      Set.of(
          "assistants",
          "audio",
          "batches",
          "chat",
          "completions",
          "containers",
          "embeddings",
          "evals",
          "files",
          "fine_tuning",
          "images",
          "models",
          "moderations",
          "realtime",
          "responses",
          "threads",
          "uploads",
          "vector_stores",
          "videos");

  private final int status;
  private final String code;
  private final transient Map<String, Json> members = new LinkedHashMap<>();
  private final transient Map<String, String> headers = new LinkedHashMap<>();

  private Problem(int status, String code, String detail) {
    super(detail, null, false, false);
    this.status = status;
    this.code = code;
  }

  /// An error of that status.
  ///
  /// @param code a word for programs
  /// @param detail a sentence for people, without secrets
  public static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail);
  }

  /// The request has no token, or an invalid one.
  static Problem unauthorized(String detail) {
    return of(401, "unauthorized", detail)
        .withHeader("WWW-Authenticate", "Bearer realm=\"switchboard\"");
  }

  /// The principal lacks the permission.
  public static Problem forbidden(String detail) {
    return of(403, "forbidden", detail);
  }

  /// It does not exist, or it belongs to another principal.
  public static Problem notFound() {
    return of(404, "not_found", "There is nothing here.");
  }

  /// The request cannot be read.
  public static Problem badRequest(String detail) {
    return of(400, "bad_request", detail);
  }

  /// The request is too large.
  ///
  /// @param status 413, 414 or 431
  public static Problem tooLarge(int status, String detail) {
    return of(status, "too_large", detail);
  }

  /// The client has to wait that long.
  public static Problem rateLimited(String detail, Duration wait) {
    return of(429, "rate_limited", detail).retryAfter(wait);
  }

  /// This error with an additional member.
  public Problem with(String member, @Nullable Object value) {
    members.put(member, Json.of(value));
    return this;
  }

  /// This error with an additional header.
  public Problem withHeader(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /// This error with the time to wait before a retry, in whole seconds.
  public Problem retryAfter(Duration wait) {
    long seconds = Math.max(1, (wait.toMillis() + 999) / 1000);
    return withHeader("Retry-After", Long.toString(seconds));
  }

  /// The status of the response.
  public int status() {
    return status;
  }

  /// The code for programs.
  public String code() {
    return code;
  }

  /// The headers of its response, beside the content type.
  Map<String, String> headers() {
    return Collections.unmodifiableMap(headers);
  }

  /// Sends it as the response, replacing any other.
  public void answer(Context ctx) {
    headers.forEach(ctx::header);
    ctx.status(status).contentType(contentType(ctx.path())).result(body(ctx.path()).text());
  }

  static String contentType(String path) {
    return isOpenAi(path) ? "application/json" : "application/problem+json";
  }

  /// The body of the response to a request for that path.
  Json body(String path) {
    return isOpenAi(path) ? openAi() : body();
  }

  private static boolean isOpenAi(String path) {
    if (!path.startsWith(V1)) {
      return false;
    }
    int end = path.indexOf('/', V1.length());
    return OF_OPENAI.contains(path.substring(V1.length(), end < 0 ? path.length() : end));
  }

  /// The error in the form of RFC 9457.
  public Json body() {
    ObjectNode out = Codec.object();
    out.put("type", "about:blank");
    out.put("title", HttpStatus.forStatus(status).getMessage());
    out.put("status", status);
    out.put("detail", getMessage());
    out.put("code", code);
    members.forEach((name, value) -> out.set(name, value.tree()));
    return Json.of(out);
  }

  private Json openAi() {
    ObjectNode error = Codec.object();
    error.put("message", getMessage());
    error.put("type", openAiType());
    error.put("code", code);
    Json param = members.get("param");
    if (param == null) {
      error.putNull("param");
    } else {
      error.set("param", param.tree());
    }
    return Json.of(Codec.object().set("error", error));
  }

  private String openAiType() {
    if (status >= 500) {
      return "server_error";
    }
    return switch (status) {
      case 401 -> "authentication_error";
      case 403 -> "permission_error";
      case 429 -> "rate_limit_error";
      default -> "invalid_request_error";
    };
  }
}
