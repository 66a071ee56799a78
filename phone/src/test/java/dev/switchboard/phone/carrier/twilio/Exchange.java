package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.model.ApiKey;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The routes of an account without a server between, and who takes its calls.
final class Exchange implements Carrier.Switch {
  static final String ACCOUNT = "AC" + "0a".repeat(16);
  static final String TOKEN = "test_auth_token";
  static final String CALL = "CA" + "ab".repeat(16);
  static final String OTHER = "CA" + "cd".repeat(16);
  static final String URL = "https://agent.example.com";

  final ManualTime time = new ManualTime();
  final Twilio twilio;
  final List<Carrier.Arrival> arrivals = new CopyOnWriteArrayList<>();
  final List<String> calls = new CopyOnWriteArrayList<>();
  final List<CarrierEvent> told = new CopyOnWriteArrayList<>();
  Carrier.Admission admission = new Carrier.Admission.Taken(new Medium.Audio());

  private final List<Mount> mounts;

  Exchange() {
    this(Twilio.of(ACCOUNT, TOKEN));
  }

  Exchange(Twilio account) {
    twilio = account.withTime(time);
    mounts = twilio.routes(URL, this);
  }

  /// Routes that others take the calls of.
  Exchange(Twilio account, List<Mount> routes) {
    twilio = account;
    mounts = routes;
  }

  @Override
  public Carrier.Admission arrived(Carrier.Arrival arrival) {
    arrivals.add(arrival);
    return admission;
  }

  @Override
  public void post(String call, CarrierEvent event) {
    calls.add(call);
    told.add(event);
  }

  /// The events of a kind.
  <T extends CarrierEvent> List<T> told(Class<T> kind) {
    return told.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /// The latest line of text.
  TextLine words() {
    return (TextLine) told(CarrierEvent.Connected.class).getLast().line();
  }

  AudioLine line() {
    return (AudioLine) told(CarrierEvent.Connected.class).getLast().line();
  }

  /// The answer to a request.
  record Answer(int status, Map<String, String> headers, String body) {}

  /// The answer to a request for a call, signed as it should be.
  Answer post(String path, Map<String, String> fields) {
    Map<String, String> all = new TreeMap<>(Map.of("CallSid", CALL));
    all.putAll(fields);
    return post(path, body(all), signature(URL + path, all));
  }

  static String signature(String url, Map<String, String> fields) {
    Map<String, List<String>> lists = new TreeMap<>();
    fields.forEach((name, value) -> lists.put(name, List.of(value)));
    return Signature.of(ApiKey.of(TOKEN), url, lists);
  }

  static String body(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  Answer post(String target, String body, @Nullable String signature) {
    String path = target.replaceFirst("\\?.*", "");
    Answer[] answer = new Answer[1];
    Mount.Response response =
        new Mount.Response() {
          @Override
          public void send(int status, Map<String, String> headers, String text) {
            answer[0] = new Answer(status, headers, text);
          }

          @Override
          public Mount.EventStream events() {
            throw new UnsupportedOperationException();
          }
        };
    for (Mount mount : mounts) {
      if (mount instanceof Mount.Http http && http.path().equals(path)) {
        try {
          http.handler().handle(request("POST", target, body, signature), response);
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return answer[0];
  }

  private static Mount.Request request(
      String method, String target, String body, @Nullable String signature) {
    Map<String, List<String>> headers =
        signature == null ? Map.of() : Map.of("x-twilio-signature", List.of(signature));
    return new Mount.Request(method, target, headers, body, "127.0.0.1", null);
  }

  /// The token that a call's audio is announced with.
  String announced() {
    return token(post(Webhooks.VOICE, Map.of("From", "+15551110000", "To", "+15552220000")));
  }

  static String token(Answer answer) {
    Matcher token = Pattern.compile("name=\"token\" value=\"([^\"]+)\"").matcher(answer.body());
    if (!token.find()) {
      throw new AssertionError("no token in " + answer.body());
    }
    return token.group(1);
  }

  Mount.@Nullable Refusal refusal(@Nullable String signature) {
    return refusal(Webhooks.MEDIA, signature);
  }

  Mount.@Nullable Refusal refusal(String path, @Nullable String signature) {
    return acceptor(path).refusal(request("GET", path, "", signature));
  }

  private Mount.Acceptor acceptor(String path) {
    return mounts.stream()
        .filter(mount -> mount instanceof Mount.Socket && mount.path().equals(path))
        .map(mount -> ((Mount.Socket) mount).acceptor())
        .findFirst()
        .orElseThrow();
  }

  /// A media socket that is open.
  Socket socket() {
    return new Socket(Webhooks.MEDIA);
  }

  /// A relay socket that is open.
  Socket relay() {
    return new Socket(Webhooks.RELAY);
  }

  /// A relay socket of the call that was announced with that token.
  Socket setUp(String token) {
    Socket socket = relay();
    socket.setUp(CALL, token);
    return socket;
  }

  /// A media socket of the call that was announced with that token.
  Socket started(String token) {
    Socket socket = socket();
    socket.says("{\"event\":\"connected\",\"protocol\":\"Call\",\"version\":\"1.0.0\"}");
    socket.start(CALL, token);
    return socket;
  }

  /// The carrier's side of a socket.
  final class Socket implements Mount.Channel {
    final List<String> sent = new CopyOnWriteArrayList<>();
    volatile int code;
    volatile boolean deaf;
    private final Mount.Listener listener;

    Socket(String path) {
      listener = acceptor(path).open(request("GET", path, "", null), this);
    }

    void says(String message) {
      listener.message(message);
    }

    void start(String call, String token) {
      says(
          """
          {"event":"start","sequenceNumber":"1","start":{"streamSid":"MZ1","accountSid":"%s",
          "callSid":"%s","tracks":["inbound"],"customParameters":{"token":"%s"},
          "mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000,"channels":1}},
          "streamSid":"MZ1"}
          """
              .formatted(ACCOUNT, call, token));
    }

    void setUp(String call, String token) {
      says(
          """
          {"type":"setup","sessionId":"VX00000000000000000000000000000000","accountSid":"%s",
          "parentCallSid":"","callSid":"%s","from":"+18005550100","to":"+18005550101",
          "forwardedFrom":"","callType":"PSTN","callerName":"","direction":"inbound",
          "callStatus":"RINGING","customParameters":{"token":"%s"}}
          """
              .formatted(ACCOUNT, call, token));
    }

    void media(byte[] audio, String timestamp) {
      says(
          """
          {"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"2",\
          "timestamp":"%s","payload":"%s"},"streamSid":"MZ1"}\
          """
              .formatted(timestamp, Base64.getEncoder().encodeToString(audio)));
    }

    void gone(int why) {
      listener.closed(why);
    }

    @Override
    public CompletableFuture<?> send(String text) {
      if (deaf) {
        return CompletableFuture.failedFuture(new IOException("the other side does not read"));
      }
      sent.add(text);
      return CompletableFuture.completedFuture(text);
    }

    @Override
    public void close(int why, String reason) {
      if (code == 0) {
        code = why;
        listener.closed(why);
      }
    }
  }
}
