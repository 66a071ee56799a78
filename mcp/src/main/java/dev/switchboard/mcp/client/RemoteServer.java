package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.oauth.Credentials;
import dev.switchboard.mcp.oauth.OAuthException;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.model.ChatModel;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A connection to one MCP server, which is reopened after a loss. The server's tools are read
/// after each connection and whenever they change. Thread-safe.
final class RemoteServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final Duration AGAIN = Duration.ofSeconds(5); // a call waits for a new connection
  private static final Duration STEADY = Duration.ofSeconds(5);
  private static final Duration LONGEST_END = Duration.ofSeconds(11);
  private static final Duration SETTLED = Duration.ofMillis(200); // between changes that are read

  /// Receives the tools of a server.
  @FunctionalInterface
  interface Listener {
    /// The server has these tools now.
    ///
    /// @param tools as it describes them
    void tools(RemoteServer server, ServerFacts facts, List<JsonNode> tools);
  }

  /// A request to the server.
  @FunctionalInterface
  interface Question<T> {
    /// The answer.
    T ask(ServerSession session) throws IOException, RpcException, InterruptedException;
  }

  /// The state of a server.
  ///
  /// @param facts null if it was never reached
  /// @param failure why it is unreachable, null if it is reachable or was not tried yet
  record State(@Nullable ServerFacts facts, @Nullable String failure, boolean ready) {}

  private enum Kind {
    CHANGED,
    LOST,
    CLOSED
  }

  /// An event of a connection.
  private record Event(Kind kind, long connection) {}

  private final McpSettings settings;
  private final Credentials credentials;
  private final ClientFeatures features;
  private final Listener listener;
  private final Time time;
  private final Deadline ending;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> tried = new CompletableFuture<>();
  private final Thread thread;
  private final Queue<CompletableFuture<ServerSession>> awaited = new ConcurrentLinkedQueue<>();
  private volatile @Nullable ServerSession current;
  private volatile @Nullable ServerFacts facts;
  private volatile @Nullable String failure;
  private long connection; // of the thread alone

  RemoteServer(
      McpSettings settings,
      Credentials credentials,
      @Nullable ChatModel model,
      Listener listener,
      Time time) {
    this.settings = settings;
    this.credentials = credentials;
    this.listener = listener;
    this.time = time;
    features = new ClientFeatures(settings, model);
    ending = Deadline.none(time);
    thread = Thread.ofVirtual().name("mcp " + settings.name()).unstarted(this::run);
  }

  McpSettings settings() {
    return settings;
  }

  /// A sentence about the server.
  String called(String what) {
    return "MCP server '" + settings.name() + "': " + what;
  }

  /// The sentence that the server is not available.
  String absent(String why) {
    return "MCP server '" + settings.name() + "' " + absence() + ": " + brief(why);
  }

  private String absence() {
    return switch (settings.reached()) {
      case McpWay.Program program -> "did not start";
      case McpWay.Web web -> "cannot be reached";
    };
  }

  private static String brief(String why) {
    return why.replaceFirst("^the server has ended with ", "");
  }

  /// Its current state.
  State state() {
    return new State(facts, failure, current != null);
  }

  /// Starts it, on a separate thread.
  ///
  /// @return done when the server was reached and its tools were read, or it was unreachable;
  ///   exceptionally if its tools could not be added
  CompletableFuture<Void> start() {
    thread.start();
    return tried;
  }

  /// Whether the first connection is still being opened.
  boolean isStarting() {
    return !tried.isDone();
  }

  /// The connection; waits if it was lost a moment ago.
  ///
  /// @throws ServerException when there is none
  ServerSession session(Consumer<Runnable> onCancel) throws ServerException, InterruptedException {
    ServerSession session = current;
    return session != null && !session.isLost() ? session : nextSession(onCancel);
  }

  private ServerSession nextSession(Consumer<Runnable> onCancel)
      throws ServerException, InterruptedException {
    CompletableFuture<ServerSession> next = new CompletableFuture<>();
    awaited.add(next);
    try (Deadline deadline = Deadline.in(AGAIN, time)) {
      ServerSession session = current; // opened before the wait began
      if (session != null && !session.isLost()) {
        return session;
      }
      if (failure == null && !ending.isOver()) {
        deadline.accept(() -> next.cancel(false));
        onCancel.accept(() -> next.cancel(false));
        return next.get();
      }
    } catch (CancellationException | ExecutionException e) {
      LOG.log(Level.DEBUG, called("no connection in time"));
    } finally {
      next.cancel(false);
      awaited.removeIf(CompletableFuture::isDone);
    }
    String why = failure;
    throw new ServerException(why == null ? "it does not answer" : absence() + ": " + brief(why));
  }

  /// The result of a request, which is repeated once if it certainly did not reach the server.
  ///
  /// @throws RpcException when the server refuses
  /// @throws ToolException when it fails
  <T> T ask(Question<T> question, ToolContext context) throws RpcException, InterruptedException {
    try {
      ServerSession session = session(context::onCancel);
      try {
        return question.ask(session);
      } catch (NotSentException e) {
        if (!session.isLost()) {
          throw e;
        }
        return question.ask(session(context::onCancel));
      }
    } catch (HttpFailure e) {
      throw ToolException.ofAnswer(e.answer(), context.time().now());
    } catch (OAuthException e) {
      throw ToolException.last(ResultCode.FAILED, called(e.clause()));
    } catch (ServerException | NotSentException e) {
      throw ToolException.trouble(called(String.valueOf(e.getMessage())), e);
    } catch (IOException e) {
      throw ToolException.ofRequest(e);
    }
  }

  // The server's thread.

  private void run() {
    Duration pause = FIRST_PAUSE;
    try {
      while (!ending.isOver()) {
        long begun = time.nanos();
        connect();
        boolean lived = time.nanos() - begun > STEADY.toNanos();
        if (failure == null && lived) {
          pause = FIRST_PAUSE;
        } else {
          if (failure == null && pause.compareTo(AGAIN) > 0) {
            fail("it ends soon after each of its starts"); // so that no call waits for it
          }
          ending.rest(pause);
          pause = pause.multipliedBy(2);
          pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
        }
      }
    } finally {
      fail("it is no longer awaited");
    }
  }

  /// One connection, from its beginning to its end.
  private void connect() {
    ending.forget();
    try (ServerSession session = connected()) {
      serve(session);
    } catch (RpcException | IOException e) {
      fail(words(e));
    } catch (InterruptedException e) {
      ending.end();
    } catch (RuntimeException e) {
      if (!tried.completeExceptionally(e)) {
        ExceptionLog.warn(LOG, called("its tools could not be taken"), e);
      }
      fail("its tools could not be taken");
    }
  }

  private ServerSession connected() throws IOException, RpcException, InterruptedException {
    long number = ++connection;
    Transport transport =
        switch (settings.reached()) {
          case McpWay.Program program ->
              StdioTransport.start(settings.name(), program, settings.responseLimit());
          case McpWay.Web web ->
              new HttpTransport(settings.name(), web, credentials, settings.responseLimit(), time);
        };
    ServerInbox inbox =
        new ServerInbox(
            settings.name(),
            features,
            () -> happened(Kind.CHANGED, number),
            () -> happened(Kind.LOST, number));
    boolean open = false;
    try {
      Handshake opening = new Handshake(transport, features, inbox, this::limited);
      ServerSession session = opening.session();
      open = true;
      return session;
    } finally {
      if (!open) {
        transport.close();
      }
    }
  }

  /// The deadline of a request on the server's thread.
  private Deadline limited(Duration most) {
    Duration timeout = settings.timeout();
    Deadline deadline = Deadline.in(most.compareTo(timeout) < 0 ? most : timeout, time);
    ending.accept(deadline::end);
    return deadline;
  }

  private void happened(Kind kind, long to) {
    Event event = new Event(kind, to);
    // A server may report changes endlessly; they are read once.
    if (kind != Kind.CHANGED || !events.contains(event)) {
      events.add(event);
    }
  }

  /// Reads the server's tools, now and when they change, until the connection is lost.
  private void serve(ServerSession session) throws IOException, RpcException, InterruptedException {
    long number = connection;
    read(session);
    failure = null;
    current = session;
    awaited.forEach(waiting -> waiting.complete(session));
    tried.complete(null);
    Deadline listening = Deadline.none(time);
    Thread.ofVirtual()
        .name("mcp " + settings.name() + " changes")
        .start(() -> listen(session, number, listening));
    try {
      while (true) {
        Event event = events.take();
        if (event.kind == Kind.CLOSED || event.connection == number && event.kind == Kind.LOST) {
          break;
        }
        if (event.connection == number) {
          ending.forget();
          ending.rest(SETTLED);
          read(session);
        }
      }
    } finally {
      current = null;
      listening.end();
    }
    if (!ending.isOver()) {
      LOG.log(Level.WARNING, called("the connection is lost"));
    }
  }

  private void read(ServerSession session) throws IOException, RpcException, InterruptedException {
    Deadline deadline = limited(settings.timeout());
    try (deadline) {
      List<JsonNode> tools = session.tools(deadline);
      facts = session.facts();
      listener.tools(this, session.facts(), tools);
    } catch (IOException e) {
      throw deadline.explained(e);
    }
  }

  /// Listens for changes while the connection lasts.
  private void listen(ServerSession session, long number, Deadline listening) {
    while (session.sendsChangesOnRequest() && !listening.isOver() && !session.isLost()) {
      Duration pause = FIRST_PAUSE;
      try {
        session.listenForChanges(listening);
      } catch (IOException | RpcException e) {
        LOG.log(Level.DEBUG, called("its changes are not received: " + e.getMessage()));
        pause = LONGEST_PAUSE;
      } catch (InterruptedException e) {
        return;
      }
      listening.forget();
      listening.rest(pause);
      happened(Kind.CHANGED, number); // there may have been changes meanwhile
    }
  }

  private void fail(String why) {
    boolean isNew = !why.equals(failure);
    failure = why;
    // A required server that was never there fails the start, which says so.
    boolean isReported = settings.required() && !tried.isDone();
    if (isNew && !isReported && !ending.isOver()) {
      LOG.log(Level.WARNING, absent(why));
    }
    tried.complete(null);
  }

  private static String words(Exception e) {
    return switch (e) {
      case NotSentException gone -> String.valueOf(gone.getMessage());
      case ServerException ours -> String.valueOf(ours.getMessage());
      case OAuthException login -> login.clause();
      case HttpFailure http -> String.valueOf(http.getMessage());
      case UrlGuard.BlockedException blocked -> "URL blocked: " + blocked.reason();
      case RpcException rpc -> "it answers with error " + rpc.error().code();
      case UnknownHostException unknown -> "the host was not found";
      case ConnectException refused -> "the connection was refused";
      default -> "network error (" + e.getClass().getSimpleName() + ")";
    };
  }

  /// Closes the connection, and ends the server if it is a program.
  @Override
  public void close() {
    ending.end();
    happened(Kind.CLOSED, 0);
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      boolean unused = thread.join(LONGEST_END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
