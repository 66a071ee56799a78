package dev.switchboard.webhook;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.http.ResponseTooLargeException;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A URL that answers tool calls, and its requests.
///
/// Immutable and thread-safe. The common parts of its requests are checked and built here, once.
public final class Webhook {
  /// The default limit of a response's bytes: 1 MiB.
  public static final long DEFAULT_RESPONSE_LIMIT = 1024 * 1024;

  private static final Set<String> OURS =
      Set.of("content-encoding", "content-type", "idempotency-key");

  private final GuardedHttp http;
  private final String url;
  private final Map<String, String> headers;
  private final RequestTemplate template;
  private final boolean triedOnce;
  private final @Nullable Secret secret;
  private final long responseLimit;

  /// A webhook.
  ///
  /// @param url to which calls are posted
  /// @param http the guarded client
  /// @param secret signs each request, null for none
  /// @param headers sent with each request
  /// @param responseLimit the maximum bytes of a response
  /// @throws IllegalArgumentException when the guard refuses the URL, or a header cannot be sent
  public Webhook(
      String url,
      GuardedHttp http,
      @Nullable Secret secret,
      Map<String, String> headers,
      long responseLimit) {
    this(url, http, secret, headers, responseLimit, false);
  }

  private Webhook(
      String url,
      GuardedHttp http,
      @Nullable Secret secret,
      Map<String, String> headers,
      long responseLimit,
      boolean triedOnce) {
    headers.forEach(Webhook::checkHeader);
    HttpRequest empty = HttpRequest.post(url, headers, "", responseLimit);
    this.url = url;
    this.headers = Map.copyOf(headers);
    this.triedOnce = triedOnce;
    this.http = http;
    this.secret = secret;
    this.responseLimit = responseLimit;
    try {
      template = http.template(url, empty.headers(), triedOnce);
    } catch (UrlGuard.BlockedException blocked) {
      throw new IllegalArgumentException(
          "webhook URL blocked: " + blocked.reason() + remedy(http.guard().check(url)), blocked);
    }
  }

  /// How to allow the URL, as the end of a sentence. Only one with a readable host can be allowed.
  private static String remedy(UrlGuard.Verdict verdict) {
    return verdict instanceof UrlGuard.Verdict.Blocked blocked && blocked.host() != null
        ? "; allow a private service that you trust with GuardedHttp.allowing(\"host:port\")"
        : "";
  }

  /// Checks that each request of a webhook may have that header.
  ///
  /// @throws IllegalArgumentException that names it, when it may not; its value is not quoted
  public static void checkHeader(String header, String value) {
    String name = header.toLowerCase(Locale.ROOT);
    if (OURS.contains(name) || name.startsWith("webhook-")) {
      throw new IllegalArgumentException(
          "header '" + header + "' is made for each request and cannot be set");
    }
    HttpRequest.checkHeader(header, value);
  }

  /// Whether failed attempts are not retried; then no request may use a connection that the server
  /// may have just closed.
  public boolean isTriedOnce() {
    return triedOnce;
  }

  /// This webhook, with or without retries.
  public Webhook triedOnce(boolean once) {
    return new Webhook(url, http, secret, headers, responseLimit, once);
  }

  /// One attempt of one tool call.
  ///
  /// @param tool its name, a JSON string
  /// @param arguments sent unchanged
  /// @param callId the phone call's or conversation's id
  /// @param attempt from 1
  /// @param idempotencyKey equal on every attempt
  public record Call(
      Json tool,
      Json arguments,
      String callId,
      @Nullable String caller,
      @Nullable String callee,
      int attempt,
      String idempotencyKey) {
    /// The request's body; `tool_name` repeats `tool` for receivers of the older format.
    String body() {
      StringBuilder body = new StringBuilder(128 + arguments.text().length());
      body.append("{\"tool\":").append(tool.text());
      body.append(",\"tool_name\":").append(tool.text());
      body.append(",\"arguments\":").append(arguments.text());
      body.append(",\"call_id\":").append(Json.of(callId));
      if (caller != null) {
        body.append(",\"caller\":").append(Json.of(caller));
      }
      if (callee != null) {
        body.append(",\"callee\":").append(Json.of(callee));
      }
      return body.append(",\"attempt\":").append(attempt).append('}').toString();
    }
  }

  /// The response to that call.
  ///
  /// @param now the time in the signature
  /// @param onCancel receives an action that ends the request from another thread
  /// @param onLine receives each line of a streamed response, as it arrives
  /// @throws UrlGuard.BlockedException when the guard refuses an address of the URL's host
  /// @throws ResponseTooLargeException when the response is longer than the limit
  /// @throws IOException when the request fails otherwise, or was cancelled
  public HttpAnswer ask(
      Call call, Instant now, Consumer<Runnable> onCancel, Consumer<String> onLine)
      throws IOException {
    String body = call.body();
    String key = call.idempotencyKey();
    Map<String, String> headers = Map.of("Idempotency-Key", key);
    if (secret != null) {
      headers = new LinkedHashMap<>(headers);
      headers.putAll(WebhookSignature.headers(secret, key, now, body));
    }
    return http.send(template.call("POST", body, headers), responseLimit, onCancel, onLine);
  }
}
