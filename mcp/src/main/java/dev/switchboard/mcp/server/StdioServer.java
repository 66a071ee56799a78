package dev.switchboard.mcp.server;

import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Principal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The server over standard input and output, one message per line. It has one client, whose user
/// may give consent.
final class StdioServer {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final long LONGEST_LINE = 8L << 20;
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(10);
  private static final Principal USER = Principal.LOCAL;

  private final Methods methods;
  private final Sessions sessions;
  private final Changes changes;
  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();
  private final Questions questions = new Questions();
  private final Map<String, Changes.Listener> listening = new HashMap<>(); // of the reader alone
  private final List<Thread> running = new ArrayList<>(); // of the reader alone
  private Sessions.@Nullable Open session; // of the reader alone

  StdioServer(Methods methods, Sessions sessions, Changes changes, OutputStream out) {
    this.methods = methods;
    this.sessions = sessions;
    this.changes = changes;
    this.out = out;
  }

  /// Serves until the input ends.
  ///
  /// @throws IOException when a line is longer than 8 MiB, or the input breaks off
  void serve(InputStream stream) throws IOException {
    try (BufferedSource in = Okio.buffer(Okio.source(stream))) {
      for (String line = line(in); line != null; line = line(in)) {
        if (!line.isBlank()) {
          take(line);
        }
      }
      awaitRunning();
    } finally {
      listening.values().forEach(Changes.Listener::close);
    }
  }

  /// Waits for running calls after the input has ended, since the client may still wait for
  /// answers.
  private void awaitRunning() {
    long end = System.nanoTime() + LAST_ANSWERS.toNanos();
    try {
      for (Thread call : running) {
        boolean unused = call.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static @Nullable String line(BufferedSource in) throws IOException {
    long end = in.indexOf((byte) '\n', 0, LONGEST_LINE);
    if (end < 0 && in.request(LONGEST_LINE)) {
      throw new IOException("a line of the client is longer than " + LONGEST_LINE + " bytes");
    }
    return in.readUtf8Line();
  }

  private void take(String line) {
    try {
      if (RpcBatch.is(line)) {
        batch(line);
        return;
      }
      switch (RpcMessage.read(line)) {
        case RpcMessage.Request request -> request(request);
        case RpcMessage.Notification notification -> handle(notification);
        case RpcMessage.Answer answer -> questions.answered(answer);
      }
    } catch (RpcException e) {
      send(new RpcMessage.Failure(null, e.error()));
    }
  }

  private void batch(String line) throws RpcException {
    Sessions.Open open = session;
    if (open == null) {
      throw new RpcException(RpcError.INVALID_REQUEST, "Send initialize before a batch");
    }
    Client client = new Client(open.session(), open.version(), open.capabilities(), USER);
    CompletableFuture<String> answers =
        RpcBatch.read(line, open.version())
            .begin(methods, client, this::handle, questions::answered);
    run(() -> {
      if (!answers.join().isEmpty()) {
        send(answers.join());
      }
    });
  }

  private void run(Runnable work) throws RpcException {
    Thread call = Thread.ofVirtual().name("mcp call").unstarted(work);
    running.removeIf(thread -> !thread.isAlive());
    if (running.size() >= Bound.MCP_CALLS.each()) {
      throw new RpcException(RpcError.FULL, "Too many requests are under way");
    }
    running.add(call);
    call.start();
  }

  private void handle(RpcMessage.Notification notification) {
    JsonNode params = notification.params();
    if (notification.method().equals("notifications/cancelled")) {
      String request = params.path("requestId").toString();
      Changes.Listener listener = listening.remove(request);
      if (listener != null) {
        listener.close();
      }
      if (session != null) {
        session.session().cancel(request);
      }
      sessions.of(USER).cancel(request);
    }
  }

  private void request(RpcMessage.Request request) {
    try {
      if (request.method().equals("initialize") && !StatelessRequest.is(request.params())) {
        initialize(request);
        return;
      }
      Client client = client(request);
      if (request.method().equals("subscriptions/listen") && client.isStateless()) {
        listen(request, client);
        return;
      }
      run(() -> send(methods.answer(request, client, new Line())));
    } catch (RpcException e) {
      send(new RpcMessage.Failure(request.id(), e.error()));
    }
  }

  private Client client(RpcMessage.Request request) throws RpcException {
    if (StatelessRequest.is(request.params()) || session == null) {
      JsonNode capabilities = StatelessRequest.capabilities(request, null);
      return new Client(sessions.of(USER), Protocol.STATELESS, capabilities, USER);
    }
    return new Client(session.session(), session.version(), session.capabilities(), USER);
  }

  private void initialize(RpcMessage.Request request) {
    JsonNode params = request.params();
    ObjectNode result = methods.initialize(params.path("protocolVersion").asString(""), USER);
    Sessions.Open open =
        sessions.open(
            USER, result.path("protocolVersion").stringValue(), params.path("capabilities"));
    session = open;
    send(new RpcMessage.Result(request.id(), result));
    Changes.Listener before =
        listening.put(
            "session",
            changes.listen(
                open.session().principal(),
                open.session()::allowed,
                open.session().subscribed(),
                this::send));
    if (before != null) {
      before.close();
    }
  }

  private void listen(RpcMessage.Request request, Client client) throws RpcException {
    Subscription subscription = Subscription.of(request);
    if (listening.size() >= Bound.STREAMS.each()) {
      throw new RpcException(RpcError.FULL, "Too many subscriptions are open");
    }
    send(subscription.acknowledged());
    Changes.Listener before =
        listening.put(
            request.key(),
            subscription.listen(
                changes, client, notification -> send(subscription.own(notification))));
    if (before != null) {
      before.close();
    }
  }

  private void send(RpcMessage message) {
    send(message.text());
  }

  private void send(String text) {
    byte[] line = (text + "\n").getBytes(StandardCharsets.UTF_8);
    writing.lock();
    try {
      out.write(line);
      out.flush();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the MCP client no longer reads");
    } finally {
      writing.unlock();
    }
  }

  /// The connection to the client.
  private final class Line implements Peer {
    @Override
    public void post(RpcMessage.Notification notification) {
      send(notification);
    }

    @Override
    public JsonNode ask(String method, JsonNode params, Duration most)
        throws RpcException, InterruptedException {
      return questions.ask(
          method,
          params,
          most,
          question -> {
            send(question);
            return true;
          });
    }
  }
}
