package dev.switchboard.phone.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.switchboard.json.Codec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The carrier's REST API, for updates of calls and the settings of numbers.
final class TwilioRest {
  private static final int LONGEST_TWIML = 4_000;
  private static final Answer DONE = new Answer(200, 0);
  private static final Answer UNKNOWN = new Answer(404, 20_404);

  private final HttpServer server;
  private final String account;
  private final String credentials;
  private final Function<String, @Nullable SimulatedCall> calls;
  private final ConcurrentLinkedDeque<Answer> script = new ConcurrentLinkedDeque<>();
  private final List<TwilioSimulator.Order> orders = new CopyOnWriteArrayList<>();
  private final Map<String, String> voiceUrls = new ConcurrentHashMap<>();

  /// An answer to an order.
  ///
  /// @param status 0 for none, although it is executed
  /// @param code of the carrier's errors, 0 for none
  record Answer(int status, int code) {}

  TwilioRest(
      String account,
      String credentials,
      Function<String, @Nullable SimulatedCall> calls,
      Executor threads)
      throws IOException {
    this.account = "/2010-04-01/Accounts/" + account;
    this.credentials = credentials;
    this.calls = calls;
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    server = HttpServer.create(new InetSocketAddress(loopback, 0), 128);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  List<TwilioSimulator.Order> orders() {
    return List.copyOf(orders);
  }

  /// Gives the account that number, with that voice URL.
  void number(String number, String voiceUrl) {
    voiceUrls.put(number, voiceUrl);
  }

  /// Sets the answer of the next order without a scripted answer.
  void script(Answer answer) {
    script.add(answer);
  }

  void close() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.equals(account + "/IncomingPhoneNumbers.json") && isAuthorized(exchange)) {
        send(exchange, 200, numbers(exchange));
        return;
      }
      String call = path.replaceFirst(".*/", "").replaceFirst("\\.json$", "");
      byte[] body = exchange.getRequestBody().readAllBytes();
      Map<String, String> form = form(new String(body, StandardCharsets.UTF_8));
      Answer scripted = script.poll();
      boolean cut = scripted != null && scripted.status == 0;
      Answer answer = scripted == null || cut ? answer(exchange, call, form) : scripted;
      orders.add(new TwilioSimulator.Order(call, form, cut ? 0 : answer.status));
      if (!cut) {
        send(exchange, answer);
      }
    }
  }

  private boolean isAuthorized(HttpExchange exchange) {
    return credentials.equals(exchange.getRequestHeaders().getFirst("Authorization"));
  }

  /// The settings of the requested number, if the account has it.
  private String numbers(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    String number = form(query == null ? "" : query).getOrDefault("PhoneNumber", "");
    ObjectNode answer = Codec.object();
    ArrayNode found = answer.putArray("incoming_phone_numbers");
    String voiceUrl = voiceUrls.get(number);
    if (voiceUrl != null) {
      found
          .addObject()
          .put("phone_number", number)
          .put("voice_url", voiceUrl)
          .put("voice_method", "POST");
    }
    return answer.toString();
  }

  private static Map<String, String> form(String body) {
    Map<String, String> form = new TreeMap<>();
    for (String pair : body.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        form.put(
            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return form;
  }

  private Answer answer(HttpExchange exchange, String id, Map<String, String> form) {
    if (!isAuthorized(exchange)) {
      return new Answer(401, 20_003);
    }
    SimulatedCall call = calls.apply(id);
    boolean found =
        exchange.getRequestURI().getRawPath().equals(account + "/Calls/" + id + ".json");
    return call != null && found && exchange.getRequestMethod().equals("POST")
        ? change(call.flow(), form)
        : UNKNOWN;
  }

  private static Answer change(CallFlow call, Map<String, String> form) {
    String twiml = form.get("Twiml");
    if (form.size() == 1 && "completed".equals(form.get("Status"))) {
      return call.end() ? DONE : UNKNOWN;
    }
    if (form.size() != 1 || twiml == null) {
      return new Answer(400, 20_001);
    }
    try {
      boolean tooLong = twiml.length() > LONGEST_TWIML;
      List<TwimlVerb> verbs = TwimlVerb.parse(tooLong ? "" : twiml);
      return call.update(verbs) ? DONE : UNKNOWN;
    } catch (IllegalArgumentException e) {
      return new Answer(400, 12_100);
    }
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    String text =
        "{\"code\":%d,\"message\":\"\",\"status\":%d}".formatted(answer.code, answer.status);
    send(exchange, answer.status, text);
  }

  private static void send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
