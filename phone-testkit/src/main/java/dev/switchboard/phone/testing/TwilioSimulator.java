package dev.switchboard.phone.testing;

import dev.switchboard.model.ApiKey;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.carrier.twilio.Signature;
import dev.switchboard.phone.carrier.twilio.Twilio;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.Credentials;
import okhttp3.Dispatcher;
import okhttp3.FormBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/// A simulator of Twilio in this process, on loopback: it sends calls by signed webhooks, executes
/// their TwiML, speaks Media Streams and ConversationRelay, and accepts orders over its REST API.
///
/// It is as strict as Twilio: streams go to `wss` without a query (31920, 31922), a message that is
/// not `media`, `mark` or `clear` of the stream ends it (31924), `clear` returns all waiting marks,
/// an order for a call that has ended is refused (404, 20404). A relay session whose attributes do
/// not fit together fails (64106); in one, an invalid message is refused and has no effect (64107).
/// Thread-safe.
public final class TwilioSimulator implements AutoCloseable {
  static final String VOICE = "/phone/twilio/voice";
  static final String STATUS = "/phone/twilio/status";

  private final String account = "AC" + MediaStream.randomHex();
  private final ApiKey token = ApiKey.of(MediaStream.randomHex());
  private final double speed;
  private final TwilioRest rest;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final OkHttpClient client;
  private final Map<String, SimulatedCall> calls = new ConcurrentHashMap<>();
  private final Map<String, String> ends = new ConcurrentHashMap<>();
  private final Queue<Integer> relayFailures = new ConcurrentLinkedQueue<>();
  private final Map<String, String> tunnels = new ConcurrentHashMap<>();
  private volatile boolean records = true;
  private volatile boolean repeats;
  private volatile Watcher watcher = (call, event, length) -> {};

  /// An order over the REST API.
  ///
  /// @param call the id in its path
  /// @param status of the answer
  public record Order(String call, Map<String, String> form, int status) {}

  /// Observes the messages over the sockets of calls.
  public interface Watcher {
    /// Receives a message, on the reading thread.
    ///
    /// @param event such as `media` or `text`
    /// @param length of its text
    void message(SimulatedCall call, String event, int length);
  }

  private TwilioSimulator(double speed) throws IOException {
    this.speed = speed;
    Dispatcher dispatcher = new Dispatcher(threads);
    dispatcher.setMaxRequests(100_000);
    client =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .proxy(Proxy.NO_PROXY)
            .followRedirects(false)
            .readTimeout(Duration.ofSeconds(15))
            .build();
    String credentials = Credentials.basic(account, token.text());
    rest = new TwilioRest(account, credentials, calls::get, threads);
  }

  /// A simulator in real time.
  public static TwilioSimulator start() {
    return start(1);
  }

  /// A simulator whose clock runs that many times as fast.
  public static TwilioSimulator start(double speed) {
    try {
      return new TwilioSimulator(speed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The id of its account.
  public String accountSid() {
    return account;
  }

  /// The token of its account.
  public String authToken() {
    return token.text();
  }

  /// The URL of its REST API, such as `http://127.0.0.1:4010`.
  public String url() {
    return "http://127.0.0.1:" + rest.port();
  }

  /// The carrier for this account.
  public Twilio carrier() {
    return Twilio.of(account, token.text()).withBaseUrl(url());
  }

  double speed() {
    return speed;
  }

  boolean records() {
    return records;
  }

  /// Sets whether both sides are recorded; true by default.
  public TwilioSimulator recording(boolean recorded) {
    records = recorded;
    return this;
  }

  /// Sends each callback twice, or stops it.
  public TwilioSimulator repeating(boolean repeated) {
    repeats = repeated;
    return this;
  }

  /// Sets an observer of the messages of all calls.
  public TwilioSimulator watching(Watcher other) {
    watcher = other;
    return this;
  }

  /// Fails the next relay session before its socket is opened.
  ///
  /// @param code of Twilio, such as 64102
  public TwilioSimulator failRelay(int code) {
    relayFailures.add(code);
    return this;
  }

  /// The code of that failure, 0 for none.
  int relayFailure() {
    return Objects.requireNonNullElse(relayFailures.poll(), 0);
  }

  void watched(SimulatedCall call, String event, int length) {
    watcher.message(call, event, length);
  }

  /// Sets the outcome of transfers to that number: `completed`, which is the default, `busy`,
  /// `no-answer`, `failed` or `canceled`.
  public TwilioSimulator dialEnds(String number, String status) {
    ends.put(number, status);
    return this;
  }

  String end(String number) {
    return ends.getOrDefault(number, "completed");
  }

  /// Refuses the next order that has no scripted answer.
  ///
  /// @param code of Twilio, such as 20429
  public TwilioSimulator refuse(int status, int code) {
    rest.script(new TwilioRest.Answer(status, code));
    return this;
  }

  /// Executes the next order and drops the connection instead of answering.
  public TwilioSimulator cutOff() {
    rest.script(new TwilioRest.Answer(0, 0));
    return this;
  }

  /// All orders, in order.
  public List<Order> orders() {
    return rest.orders();
  }

  /// Gives the account a number, with that voice URL.
  public TwilioSimulator number(String number, String voiceUrl) {
    rest.number(number, voiceUrl);
    return this;
  }

  /// Calls a number.
  ///
  /// @param publicUrl of its routes
  public SimulatedCall call(String publicUrl, String from, String to) {
    SimulatedCall call = new SimulatedCall(this, PublicUrl.of(publicUrl), from, to);
    calls.put(call.id(), call);
    call.start();
    return call;
  }

  /// Sends requests for a public URL to another address, like a proxy.
  ///
  /// @param address such as `http://127.0.0.1:8000`
  public TwilioSimulator tunnel(String publicUrl, String address) {
    PublicUrl url = PublicUrl.of(publicUrl);
    tunnels.put(url.http(""), address);
    tunnels.put(url.socket(""), address);
    return this;
  }

  private Request.Builder request(String url) {
    Request.Builder request = new Request.Builder();
    for (Map.Entry<String, String> tunnel : tunnels.entrySet()) {
      if (url.startsWith(tunnel.getKey() + "/")) {
        return request
            .url(tunnel.getValue() + url.substring(tunnel.getKey().length()))
            .header("Host", URI.create(url).getRawAuthority());
      }
    }
    return request.url(url);
  }

  /// The TwiML in a webhook's answer.
  ///
  /// @throws IllegalArgumentException when the answer has none
  List<TwimlVerb> ask(SimulatedCall call, String url, Map<String, String> more) {
    try (Response response = post(call, url, more)) {
      String type = response.header("Content-Type", "");
      if (response.code() != 200 || type == null || !type.startsWith("text/xml")) {
        throw new IllegalArgumentException("11200 the webhook answers " + response.code());
      }
      return TwimlVerb.parse(response.body().string());
    } catch (IOException e) {
      throw new IllegalArgumentException("11200 the webhook cannot be reached", e);
    }
  }

  void postWebhook(SimulatedCall call, String url, Map<String, String> more) {
    for (int i = 0; i < (repeats ? 2 : 1); i++) {
      try (Response response = post(call, url, more)) {
        if (!response.isSuccessful()) {
          call.fault("11200 the status callback answers " + response.code());
        }
      } catch (IOException e) {
        call.fault("11200 the status callback cannot be reached");
      }
    }
  }

  private Response post(SimulatedCall call, String url, Map<String, String> more)
      throws IOException {
    Map<String, String> fields = new TreeMap<>(more);
    fields.putAll(
        Map.of(
            "CallSid", call.id(),
            "AccountSid", account,
            "From", call.from(),
            "To", call.to(),
            "Caller", call.from(),
            "Called", call.to(),
            "CallStatus", call.status(),
            "Direction", "inbound",
            "ApiVersion", "2010-04-01"));
    FormBody.Builder form = new FormBody.Builder();
    Map<String, List<String>> signed = new HashMap<>();
    fields.forEach((name, value) -> {
      form.add(name, value);
      signed.put(name, List.of(value));
    });
    return client
        .newCall(
            request(url)
                .header(Signature.HEADER, Signature.of(token, url, signed))
                .post(form.build())
                .build())
        .execute();
  }

  void open(String url, CarrierSocket socket) {
    Request request =
        request(url).header(Signature.HEADER, Signature.of(token, url, Map.of())).build();
    var unused = client.newWebSocket(request, socket);
  }

  /// Hangs up all calls and stops the servers.
  @Override
  public void close() {
    calls.values().forEach(SimulatedCall::hangUp);
    rest.close();
    client.dispatcher().cancelAll();
    client.connectionPool().evictAll();
    threads.shutdownNow();
  }
}
