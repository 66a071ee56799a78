package dev.switchboard.mcp.client;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.http.OpenAnswer;
import dev.switchboard.http.ServerEvents;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.oauth.Credentials;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The transport to a server on the network, over streamable HTTP: every message is posted, and the
/// response is its answer or an event stream that ends with it.
final class HttpTransport implements Transport {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final Pattern ID = Pattern.compile("[\\x21-\\x7e]{1,1000}");
  private static final Duration FAREWELL = Duration.ofSeconds(2);
  private static final Duration USUAL_RETRY = Duration.ofSeconds(1);
  private static final Duration LEAST_RETRY = Duration.ofMillis(200); // for streams without end
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);
  private static final int MOST_TRIES = 6; // of one request with other credentials
  private static final int MOST_RESUMED = 10; // resumptions of one stream
  private static final long ERROR_LIMIT = 16 * 1024;

  private final String server;
  private final McpWay.Web web;
  private final Credentials credentials;
  private final long limit;
  private final Time time;
  private volatile @Nullable String version;
  private volatile @Nullable String session;
  private volatile @Nullable Deadline listening;
  private volatile boolean lost;
  private volatile @Nullable Inbox inbox;

  /// @param server its name in the log
  /// @param limit the maximum bytes of one of its messages
  HttpTransport(String server, McpWay.Web web, Credentials credentials, long limit, Time time) {
    this.server = server;
    this.web = web;
    this.credentials = credentials;
    this.limit = limit;
    this.time = time;
  }

  @Override
  public RpcMessage.Answer exchange(
      RpcMessage.Request request,
      Map<String, String> headers,
      Inbox ofRequest,
      Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    try (OpenAnswer answer = open("POST", request, headers, null, onCancel)) {
      if (!answer.successful()) {
        return failure(answer);
      }
      if (request.method().equals("initialize")) {
        begin(answer.header(Protocol.SESSION_HEADER));
      }
      return answer.hasEvents()
          ? streamed(answer, request, ofRequest, onCancel)
          : single(answer.text(limit), request);
    }
  }

  @Override
  public void post(RpcMessage message) throws IOException, InterruptedException {
    try (Deadline deadline = Deadline.in(FAREWELL, time);
        OpenAnswer answer = open("POST", message, Map.of(), null, deadline)) {
      if (!answer.successful()) {
        throw new HttpFailure(answer(answer));
      }
    }
  }

  @Override
  public void listen(Inbox to) {
    inbox = to;
    if (!Protocol.STATELESS.equals(version)) {
      Deadline stop = Deadline.none(time);
      listening = stop;
      Thread.ofVirtual().name("mcp " + server + " listens").start(() -> listen(to, stop));
    }
  }

  @Override
  public void speaks(@Nullable String chosen) {
    version = chosen;
  }

  @Override
  public boolean cancelsByClosing() {
    return Protocol.STATELESS.equals(version);
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  @Override
  public void close() {
    Deadline stop = listening;
    if (stop != null) {
      stop.end();
    }
    if (session != null && !lost) {
      try (Deadline deadline = Deadline.in(FAREWELL, time);
          OpenAnswer answer = open("DELETE", null, Map.of(), null, deadline)) {
        LOG.log(Level.DEBUG, "MCP server ''{0}'': session ended, {1}", server, answer.status());
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "MCP server ''{0}'': session not ended", server);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    lost = true;
  }

  // Requests.

  /// The response, after as many attempts as its credentials require.
  private OpenAnswer open(
      String method,
      @Nullable RpcMessage message,
      Map<String, String> more,
      @Nullable String lastEvent,
      Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      Map<String, String> headers = headers(more, onCancel);
      if (lastEvent != null && ID.matcher(lastEvent).matches()) {
        headers.put("Last-Event-ID", lastEvent);
      }
      if (method.equals("GET")) {
        headers.put("Accept", "text/event-stream");
      }
      String body = message == null ? null : message.text();
      OpenAnswer answer =
          web.network()
              .open(new HttpRequest(method, web.url(), headers, body, limit, false), onCancel);
      int status = answer.status();
      String challenge = answer.header("WWW-Authenticate");
      if (status != 401 && status != 403) {
        return answer;
      }
      try (answer) {
        HttpAnswer refused = answer(answer);
        String sent = headers.get("Authorization");
        if (tries == MOST_TRIES || !credentials.renew(sent, status, challenge, onCancel)) {
          throw new HttpFailure(refused);
        }
      }
    }
  }

  private Map<String, String> headers(Map<String, String> more, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    Map<String, String> headers = new LinkedHashMap<>(web.headers());
    headers.put("Accept", "application/json, text/event-stream");
    headers.putAll(more);
    put(headers, Protocol.VERSION_HEADER, version);
    put(headers, Protocol.SESSION_HEADER, session);
    put(headers, "Authorization", credentials.header(onCancel));
    return headers;
  }

  private static void put(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }

  private void begin(@Nullable String id) throws IOException {
    if (id != null && !ID.matcher(id).matches()) {
      throw new ServerException("the server's session has an id that cannot be sent");
    }
    session = id;
  }

  // Answers.

  private static HttpAnswer answer(OpenAnswer answer) throws IOException {
    String body = answer.beginning(ERROR_LIMIT);
    return new HttpAnswer(answer.status(), answer.retryAfter(), body, false, false);
  }

  /// The error in a response outside 2xx.
  private RpcMessage.Answer failure(OpenAnswer answer) throws IOException {
    HttpAnswer read = answer(answer);
    if (read.status() == 404 && session != null) {
      forgotten();
      throw new NotSentException("the server has forgotten the session");
    }
    try {
      if (RpcMessage.read(read.body()) instanceof RpcMessage.Failure failure) {
        return failure;
      }
    } catch (RpcException e) {
      LOG.log(Level.DEBUG, "MCP server ''{0}'': {1}", server, e.getMessage());
    }
    throw new HttpFailure(read);
  }

  private void forgotten() {
    lost = true;
    Inbox listener = inbox;
    if (listener != null) {
      listener.lost();
    }
  }

  private RpcMessage.Answer single(String text, RpcMessage.Request request) throws IOException {
    try {
      for (JsonNode part : RpcMessage.parts(text)) {
        if (RpcMessage.read(part) instanceof RpcMessage.Answer answer && isOf(answer, request)) {
          return answer;
        }
      }
      throw new ServerException("the server's answer is not one to this request");
    } catch (RpcException e) {
      throw ServerException.unreadable(e);
    }
  }

  private static boolean isOf(RpcMessage.Answer answer, RpcMessage.Request request) {
    return answer.key().equals(request.key())
        || answer instanceof RpcMessage.Failure failure && failure.id() == null;
  }

  private RpcMessage.Answer streamed(
      OpenAnswer first, RpcMessage.Request request, Inbox ofRequest, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    ServerEvents events = first.events(limit);
    RpcMessage.Answer found = awaited(events, request, ofRequest);
    if (found != null) {
      first.release();
      return found;
    }
    // The server has closed the connection; it may have sent how to resume the stream.
    String last = events.lastId();
    Duration pause = events.retry();
    for (int i = 0; last != null && i < MOST_RESUMED; i++) {
      rest(pause, onCancel);
      try (OpenAnswer next = open("GET", null, Map.of(), last, onCancel)) {
        if (!next.successful() || !next.hasEvents()) {
          throw new HttpFailure(answer(next));
        }
        events = next.events(limit);
        found = awaited(events, request, ofRequest);
        if (found != null) {
          return found;
        }
      }
      last = events.lastId() == null ? last : events.lastId();
      pause = events.retry() == null ? pause : events.retry();
    }
    throw new ServerException("the server hung up without an answer");
  }

  private void rest(@Nullable Duration asked, Consumer<Runnable> onCancel)
      throws InterruptedException {
    Duration length = Objects.requireNonNullElse(asked, USUAL_RETRY);
    Time.Signal cancelled = new Time.Signal();
    onCancel.accept(cancelled::give);
    time.pause(cancelled, length.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : length);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /// The answer to that request among these events; null if they end without it.
  private RpcMessage.@Nullable Answer awaited(
      ServerEvents events, RpcMessage.@Nullable Request request, Inbox to) throws IOException {
    for (String data = events.next(); data != null; data = events.next()) {
      try {
        for (JsonNode part : RpcMessage.parts(data)) {
          RpcMessage.Answer answer = taken(part, request, to);
          if (answer != null) {
            return answer;
          }
        }
      } catch (RpcException e) {
        cannotBeRead(AnswerKey.of(data), e, request);
      }
    }
    return null;
  }

  /// The message if it is the answer to that request; others are passed on.
  private RpcMessage.@Nullable Answer taken(
      JsonNode part, RpcMessage.@Nullable Request request, Inbox to) throws IOException {
    try {
      switch (RpcMessage.read(part)) {
        case RpcMessage.Answer answer -> {
          return request != null && isOf(answer, request) ? answer : null;
        }
        case RpcMessage.Notification notification -> to.handle(notification);
        case RpcMessage.Request asked -> to.asked(asked, this::reply);
      }
    } catch (RpcException e) {
      cannotBeRead(AnswerKey.of(part), e, request);
    }
    return null;
  }

  /// The request fails if that is the key of its answer; other messages are skipped.
  private void cannotBeRead(
      @Nullable String key, RpcException fault, RpcMessage.@Nullable Request request)
      throws ServerException {
    LOG.log(Level.DEBUG, "MCP server ''{0}'': {1}", server, fault.getMessage());
    if (request != null && request.key().equals(key)) {
      throw ServerException.unreadable(fault);
    }
  }

  private void reply(RpcMessage.Answer answer) {
    try {
      post(answer);
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG, "MCP server ''{0}'' did not accept an answer: {1}", server, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // The server's own messages, in the revisions with sessions.

  private void listen(Inbox to, Deadline stop) {
    String last = null;
    Duration pause = USUAL_RETRY;
    boolean connected = false;
    while (!stop.isOver() && !lost) {
      try (OpenAnswer answer = open("GET", null, Map.of(), last, stop)) {
        if (answer.status() == 404 && connected) {
          forgotten();
        }
        if (!answer.successful() || !answer.hasEvents()) {
          return; // it sends no messages of its own
        }
        connected = true;
        ServerEvents events = answer.events(limit);
        RpcMessage.Answer unused = awaited(events, null, to);
        last = events.lastId() == null ? last : events.lastId();
        pause = Objects.requireNonNullElse(events.retry(), pause);
      } catch (IOException e) {
        LOG.log(
            Level.DEBUG,
            "MCP server ''{0}'': notifications are not received, {1}",
            server,
            e.getMessage());
        pause = pause.compareTo(LONGEST_RETRY) < 0 ? pause.multipliedBy(2) : LONGEST_RETRY;
      } catch (InterruptedException e) {
        return;
      }
      stop.forget();
      pause = pause.compareTo(LEAST_RETRY) < 0 ? LEAST_RETRY : pause;
      stop.rest(pause.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : pause);
    }
  }
}
