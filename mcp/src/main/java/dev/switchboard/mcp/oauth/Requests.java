package dev.switchboard.mcp.oauth;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.http.OpenAnswer;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.time.Time;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The requests of one step, such as discovery. Each is limited in time and size, and all together
/// in time.
final class Requests {
  private static final Duration EACH = Duration.ofSeconds(20);
  private static final Duration ALL = Duration.ofMinutes(1);
  private static final long LIMIT = 256 * 1024;
  private static final String QUESTION = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

  private final GuardedHttp http;
  private final Time time;
  private final Consumer<Runnable> onCancel;
  private final long end;

  Requests(GuardedHttp http, Time time, Consumer<Runnable> onCancel) {
    this.http = http;
    this.time = time;
    this.onCancel = onCancel;
    this.end = time.nanos() + ALL.toNanos();
  }

  /// The response of a GET.
  HttpAnswer get(WebAddress address) throws IOException {
    return send(
        new HttpRequest(
            "GET", address.text(), Map.of("Accept", "application/json"), null, LIMIT, false),
        address);
  }

  /// The response to a POST.
  HttpAnswer post(WebAddress address, Map<String, String> headers, String body) throws IOException {
    return send(HttpRequest.post(address.text(), headers, body, LIMIT), address);
  }

  /// The MCP server's challenge to requests without credentials; null for none.
  @Nullable String challenge(WebAddress server) throws IOException {
    Map<String, String> headers =
        Map.of(
            "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-06-18");
    HttpRequest request = HttpRequest.post(server.text(), headers, QUESTION, LIMIT);
    return bounded(
        server,
        cancel -> {
          try (OpenAnswer answer = http.open(request, cancel)) {
            return answer.status() == 401 ? answer.header("WWW-Authenticate") : null;
          }
        });
  }

  private interface Exchange<T extends @Nullable Object> {
    T with(Consumer<Runnable> onCancel) throws IOException;
  }

  private HttpAnswer send(HttpRequest request, WebAddress address) throws IOException {
    return bounded(address, cancel -> http.send(request, cancel));
  }

  private <T extends @Nullable Object> T bounded(WebAddress address, Exchange<T> exchange)
      throws IOException {
    AtomicReference<Time.@Nullable Alarm> alarm = new AtomicReference<>();
    AtomicBoolean late = new AtomicBoolean();
    long until = Math.min(time.nanos() + EACH.toNanos(), end);
    try {
      return exchange.with(cancel -> {
        onCancel.accept(cancel);
        Runnable giveUp =
            () -> {
              late.set(true);
              cancel.run();
            };
        alarm.set(time.alarm(until, giveUp));
      });
    } catch (IOException e) {
      String why = late.get() ? "it takes too long" : String.valueOf(e.getMessage());
      throw new IOException(address.origin() + " cannot be asked: " + why, e);
    } finally {
      Time.Alarm set = alarm.get();
      if (set != null) {
        set.cancel();
      }
    }
  }

  /// The object in a response; null if it is something else.
  static @Nullable JsonNode object(HttpAnswer answer) {
    if (answer.truncated()) {
      return null;
    }
    try {
      JsonNode tree = Json.text(answer.body()).tree();
      return tree.isObject() ? tree : null;
    } catch (JsonException e) {
      return null;
    }
  }

  /// The string in that member; null if it is something else.
  static @Nullable String text(JsonNode object, String name) {
    JsonNode value = object.path(name);
    return value.isString() ? value.stringValue() : null;
  }

  /// The strings of a list; empty if there is none.
  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    for (JsonNode text : list) {
      if (list.isArray() && text.isString() && texts.size() < 200) {
        texts.add(text.stringValue());
      }
    }
    return List.copyOf(texts);
  }

  /// The parameters as a form, or as the query of a URL.
  static String form(Map<String, String> parameters) {
    StringBuilder form = new StringBuilder();
    parameters.forEach((name, value) ->
        form.append(form.isEmpty() ? "" : "&")
            .append(escaped(name))
            .append('=')
            .append(escaped(value)));
    return form.toString();
  }

  /// The text, percent-encoded except letters, digits and `-._~`.
  static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      if ((c >= '0' && c <= '9')
          || (c >= 'A' && c <= 'Z')
          || (c >= 'a' && c <= 'z')
          || "-._~".indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append('%').append("%02X".formatted((int) c));
      }
    }
    return out.toString();
  }
}
