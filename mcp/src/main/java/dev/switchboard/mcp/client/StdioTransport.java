package dev.switchboard.mcp.client;

import dev.switchboard.http.ResponseTooLargeException;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.process.ChildProcess;
import dev.switchboard.text.ExceptionLog;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The transport to a local program: a message is a line of its standard input or output.
final class StdioTransport implements Transport {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);
  private static final int UNREAD = 256; // messages that the server has not read

  /// The inbox of a connection without a listener.
  private static final Inbox NOBODY =
      new Inbox() {
        @Override
        public void handle(RpcMessage.Notification notification) {}

        @Override
        public void asked(RpcMessage.Request request, Consumer<RpcMessage.Answer> answer) {}
      };

  private final String server;
  private final long limit;
  private final Duration patience;
  private final ChildProcess child;
  private final ServerErrors errors;
  private final BlockingQueue<RpcMessage> outgoing = new ArrayBlockingQueue<>(UNREAD);
  private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();
  private volatile Inbox inbox = NOBODY;
  private volatile @Nullable IOException lost;

  /// A request that waits for its answer.
  private record Waiting(CompletableFuture<RpcMessage.Answer> answer, Inbox inbox) {}

  private StdioTransport(String server, long limit, Duration patience, ChildProcess child) {
    this.server = server;
    this.limit = limit;
    this.patience = patience;
    this.child = child;
    errors = ServerErrors.of(server, child.process().getErrorStream());
  }

  /// Starts the program.
  ///
  /// @param server its name in the log
  /// @param limit the maximum bytes of one of its messages
  /// @throws IOException when it cannot be started
  static StdioTransport start(String server, McpWay.Program program, long limit)
      throws IOException {
    return start(server, program, limit, PATIENCE);
  }

  /// @param patience how long the program has to end by itself, and again after a signal
  static StdioTransport start(String server, McpWay.Program program, long limit, Duration patience)
      throws IOException {
    ChildProcess child;
    try {
      child = ChildProcess.start(program.words(), program.folder(), program.environment());
    } catch (IOException e) {
      throw new ServerException(
          "the program '%s' cannot be started".formatted(program.words().getFirst()));
    }
    StdioTransport transport = new StdioTransport(server, limit, patience, child);
    // Platform threads: reading a pipe blocks the carrier of a virtual thread.
    Thread reading = daemon(server + " reads", transport::read);
    Thread writing = daemon(server + " writes", transport::write);
    CompletableFuture<Void> unused =
        child
            .process()
            .onExit()
            .thenRunAsync(() -> transport.ended(reading, writing), Thread::startVirtualThread);
    return transport;
  }

  private static Thread daemon(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name("mcp " + name).start(work);
  }

  /// Handles the end of the program. Its last output is read; its child processes may keep the
  /// stream open.
  private void ended(Thread reading, Thread writing) {
    try {
      boolean unused = reading.join(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writing.interrupt();
    lose(ended());
  }

  @Override
  public RpcMessage.Answer exchange(
      RpcMessage.Request request,
      Map<String, String> headers,
      Inbox ofRequest,
      Consumer<Runnable> onCancel)
      throws IOException, InterruptedException {
    Waiting waited = new Waiting(new CompletableFuture<>(), ofRequest);
    waiting.put(request.key(), waited);
    try {
      onCancel.accept(() ->
          waited.answer.completeExceptionally(new ServerException("the request was cancelled")));
      send(request);
      return waited.answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } finally {
      waiting.remove(request.key());
    }
  }

  @Override
  public void post(RpcMessage message) throws IOException {
    send(message);
  }

  private void reply(RpcMessage.Answer answer) {
    if (outgoing.size() > UNREAD / 2) {
      // Endless requests of a server must not take the place of calls.
      LOG.log(Level.DEBUG, "MCP server ''{0}'' asks more than it reads answers", server);
      return;
    }
    try {
      send(answer);
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG, "MCP server ''{0}'' did not accept an answer: {1}", server, e.getMessage());
    }
  }

  private void send(RpcMessage message) throws IOException {
    IOException gone = lost;
    if (gone != null) {
      throw new NotSentException(gone.getMessage());
    }
    if (!outgoing.offer(message)) {
      throw new NotSentException("the server does not read");
    }
    gone = lost;
    if (gone != null) {
      throw gone; // and waiting callers may not know it
    }
  }

  @Override
  public void listen(Inbox to) {
    inbox = to;
    if (lost != null) {
      to.lost();
    }
  }

  @Override
  public void speaks(@Nullable String version) {}

  @Override
  public boolean cancelsByClosing() {
    return false;
  }

  @Override
  public boolean isLost() {
    return lost != null;
  }

  private void write() {
    try {
      OutputStream out = child.process().getOutputStream();
      while (lost == null) {
        RpcMessage message = outgoing.take();
        if (message instanceof RpcMessage.Request request && !waiting.containsKey(request.key())) {
          continue; // cancelled before it was sent
        }
        out.write((message.text() + "\n").getBytes(StandardCharsets.UTF_8));
        if (outgoing.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException e) {
      lose(ended());
    } catch (InterruptedException e) {
      // The end of the stream.
    }
  }

  private void read() {
    try (BufferedSource in = Okio.buffer(Okio.source(child.process().getInputStream()))) {
      for (String line = line(in); line != null; line = line(in)) {
        take(line);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "MCP server ''{0}'' is no longer read: {1}", server, e.getMessage());
    }
    lose(ended());
  }

  /// The next line; null at the end. A line that is too long is skipped, and the request that it
  /// answers fails.
  private @Nullable String line(BufferedSource in) throws IOException {
    while (true) {
      long end = in.indexOf((byte) '\n', 0, limit + 1);
      if (end >= 0 || !in.request(limit + 1)) {
        return in.readUtf8Line();
      }
      String key = LongLine.skip(in);
      Waiting answered = key == null ? null : waiting.get(key);
      LOG.log(Level.WARNING, "MCP server ''{0}'' sent more than {1} bytes at once", server, limit);
      if (answered != null) {
        answered.answer.completeExceptionally(new ResponseTooLargeException(limit));
      }
    }
  }

  private void take(String line) {
    if (line.isBlank()) {
      return;
    }
    List<JsonNode> parts;
    try {
      parts = RpcMessage.parts(line);
    } catch (RpcException e) {
      cannotBeRead(AnswerKey.of(line), e);
      return;
    }
    for (JsonNode part : parts) {
      try {
        take(RpcMessage.read(part));
      } catch (RpcException e) {
        cannotBeRead(AnswerKey.of(part), e);
      } catch (RuntimeException e) {
        ExceptionLog.warn(
            LOG, "a message of MCP server '" + server + "' could not be processed", e);
      }
    }
  }

  /// The request of that key fails; null for none.
  private void cannotBeRead(@Nullable String key, RpcException fault) {
    LOG.log(Level.DEBUG, "MCP server ''{0}'': {1}", server, fault.getMessage());
    Waiting answered = key == null ? null : waiting.get(key);
    if (answered != null) {
      answered.answer.completeExceptionally(ServerException.unreadable(fault));
    }
  }

  private void take(RpcMessage message) {
    switch (message) {
      case RpcMessage.Answer answer -> {
        Waiting answered = waiting.get(answer.key());
        if (answered != null) {
          answered.answer.complete(answer);
        }
      }
      case RpcMessage.Notification notification -> inboxOf(notification).handle(notification);
      case RpcMessage.Request request -> inbox.asked(request, this::reply);
    }
  }

  /// The inbox of the request whose progress it reports, otherwise that of the connection.
  private Inbox inboxOf(RpcMessage.Notification notification) {
    Waiting request = waiting.get(notification.params().path("progressToken").toString());
    return request == null ? inbox : request.inbox;
  }

  private IOException ended() {
    Process process = child.process();
    String how = "the server closed its output";
    try {
      // Its output ends a moment before the program does.
      if (process.waitFor(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
        how = exit(process.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    String said = errors.end();
    return new ServerException(said.isEmpty() ? how : how + ": " + said);
  }

  private static String exit(int code) {
    return "the server has ended with exit code " + code;
  }

  private void lose(IOException why) {
    synchronized (this) {
      if (lost != null) {
        return;
      }
      lost = why;
    }
    child.close();
    waiting.values().forEach(request -> request.answer.completeExceptionally(why));
    inbox.lost();
  }

  @Override
  public void close() {
    try {
      child.end(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    lose(new ServerException("the connection is closed"));
  }
}
