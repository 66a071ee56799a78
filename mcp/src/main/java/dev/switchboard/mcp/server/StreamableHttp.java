package dev.switchboard.mcp.server;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Places;
import dev.switchboard.mount.Principal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The server over streamable HTTP, for both generations of the protocol.
final class StreamableHttp {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final Duration QUIET = Duration.ofSeconds(15); // between keep-alive comments
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
  private static final Map<String, String> BUSY =
      Map.of("Content-Type", "application/json", "Retry-After", "5");
  private static final int UNKNOWN_SESSION = -32001;
  private static final Mount.Check CHECK = Mount.Check.server(Permission.CALL_TOOLS);

  private final Methods methods;
  private final Sessions sessions;
  private final Changes changes;
  private final Places calls = new Places(Bound.MCP_CALLS);

  StreamableHttp(Methods methods, Sessions sessions, Changes changes) {
    this.methods = methods;
    this.sessions = sessions;
    this.changes = changes;
  }

  /// The routes, at that path.
  List<Mount> routes(String path) {
    return List.of(
        new Mount.Http("POST", path, CHECK, allowed(this::post)),
        new Mount.Http("GET", path, CHECK, allowed(this::get)),
        new Mount.Http("DELETE", path, CHECK, allowed(this::delete)));
  }

  /// A route for principals that may call tools, whatever host it is in.
  private static Mount.Handler allowed(Mount.Handler handler) {
    return (http, response) -> {
      Principal principal = http.principal();
      if (principal == null) {
        refuse(response, 401, "unauthorized", "This needs an authenticated principal.");
      } else if (!principal.may(Permission.CALL_TOOLS)) {
        refuse(response, 403, "forbidden", principal.refusal(Permission.CALL_TOOLS));
      } else {
        handler.handle(http, response);
      }
    };
  }

  private static void refuse(Mount.Response response, int status, String code, String detail) {
    ObjectNode problem = Codec.object().put("type", "about:blank").put("status", status);
    problem.put("detail", detail).put("code", code);
    response.send(status, Map.of("Content-Type", "application/problem+json"), problem.toString());
  }

  private static Principal principal(Mount.Request http) {
    return Objects.requireNonNull(http.principal());
  }

  // Messages of the client.

  private void post(Mount.Request http, Mount.Response response)
      throws IOException, InterruptedException {
    JsonNode id = null;
    try {
      if (RpcBatch.is(http.body())) {
        batch(http, response);
        return;
      }
      switch (RpcMessage.read(http.body())) {
        case RpcMessage.Request request -> {
          id = request.id();
          request(request, http, response);
        }
        case RpcMessage.Notification notification -> handle(notification, http, response);
        case RpcMessage.Answer answer -> {
          session(http).questions().answered(answer);
          response.send(202, Map.of(), "");
        }
      }
    } catch (RpcException e) {
      response.send(status(e.error()), JSON, new RpcMessage.Failure(id, e.error()).text());
    } catch (FullException e) {
      RpcError full = new RpcError(RpcError.FULL, String.valueOf(e.getMessage()), null);
      response.send(status(full), BUSY, new RpcMessage.Failure(id, full).text());
    }
  }

  private void batch(Mount.Request http, Mount.Response response) throws RpcException {
    Sessions.Open open = session(http);
    RpcBatch batch = RpcBatch.read(http.body(), open.version());
    List<Places.Place> taken = new ArrayList<>();
    String answers;
    try {
      for (int i = 0; i < batch.messages().size(); i++) {
        taken.add(calls.acquire(open.owner()));
      }
      answers =
          batch
              .begin(
                  methods,
                  client(open, http),
                  notification -> handle(notification, open),
                  answer -> open.questions().answered(answer))
              .join();
    } finally {
      taken.forEach(Places.Place::close);
    }
    if (answers.isEmpty()) {
      response.send(202, Map.of(), "");
    } else {
      response.send(200, JSON, answers);
    }
  }

  private static void handle(RpcMessage.Notification notification, Sessions.Open open) {
    if (notification.method().equals("notifications/cancelled")) {
      open.session().cancel(notification.params().path("requestId").toString());
    }
  }

  /// The HTTP status of a protocol error.
  private static int status(RpcError error) {
    return switch (error.code()) {
      case RpcError.METHOD_NOT_FOUND, UNKNOWN_SESSION -> 404;
      case RpcError.FORBIDDEN -> 403;
      case RpcError.FULL -> 429;
      default -> 400;
    };
  }

  private void request(RpcMessage.Request request, Mount.Request http, Mount.Response response)
      throws RpcException, IOException, InterruptedException {
    String header = http.header(Protocol.VERSION_HEADER);
    if (StatelessRequest.is(request.params()) || Protocol.STATELESS.equals(header)) {
      JsonNode capabilities = StatelessRequest.capabilities(request, http);
      Principal principal = principal(http);
      ClientSession session = sessions.of(principal);
      if (request.method().equals("tools/call")) {
        StatelessRequest.checkParameters(request, http, session);
      }
      Client client = new Client(session, Protocol.STATELESS, capabilities, principal);
      if (request.method().equals("subscriptions/listen")) {
        listen(request, client, response);
      } else {
        answer(request, client, new Questions(), response);
      }
    } else if (request.method().equals("initialize")) {
      initialize(request, http, response);
    } else {
      Sessions.Open open = session(http);
      answer(request, client(open, http), open.questions(), response);
    }
  }

  private static Client client(Sessions.Open open, Mount.Request http) {
    return new Client(open.session(), open.version(), open.capabilities(), principal(http));
  }

  private void initialize(RpcMessage.Request request, Mount.Request http, Mount.Response response) {
    JsonNode params = request.params();
    Principal principal = principal(http);
    ObjectNode result = methods.initialize(params.path("protocolVersion").asString(""), principal);
    Sessions.Open open =
        sessions.open(
            principal, result.path("protocolVersion").stringValue(), params.path("capabilities"));
    Map<String, String> headers = new LinkedHashMap<>(JSON);
    headers.put(Protocol.SESSION_HEADER, open.id());
    response.send(200, headers, new RpcMessage.Result(request.id(), result).text());
  }

  private Sessions.Open session(Mount.Request http) throws RpcException {
    String version = http.header(Protocol.VERSION_HEADER);
    if (version != null && !Protocol.WITH_SESSIONS.contains(version)) {
      throw StatelessRequest.unsupported(version);
    }
    String id = http.header(Protocol.SESSION_HEADER);
    if (id == null) {
      throw new RpcException(
          RpcError.INVALID_REQUEST,
          "Send initialize first, and the header "
              + Protocol.SESSION_HEADER
              + " of its answer then");
    }
    Sessions.Open open = sessions.find(id, principal(http).name());
    if (open == null) {
      throw new RpcException(UNKNOWN_SESSION, "Session not found");
    }
    return open;
  }

  private void handle(
      RpcMessage.Notification notification, Mount.Request http, Mount.Response response)
      throws RpcException {
    if (!StatelessRequest.is(notification.params())
        && !Protocol.STATELESS.equals(http.header(Protocol.VERSION_HEADER))) {
      handle(notification, session(http));
    }
    response.send(202, Map.of(), "");
  }

  // Answers.

  /// Responds with one JSON document, or with a stream if something is reported before.
  private void answer(
      RpcMessage.Request request, Client client, Questions questions, Mount.Response response)
      throws InterruptedException {
    Outbox outbox = new Outbox(questions);
    if (!request.method().equals("tools/call")) {
      send(methods.answer(request, client, outbox), client, response);
      return;
    }
    Places.Place place = calls.acquire(client.principal().name());
    Thread.ofVirtual()
        .name("mcp call")
        .start(() -> {
          try (place) {
            outbox.answer(methods.answer(request, client, outbox));
          }
        });
    RpcMessage first = outbox.next(QUIET);
    if (first instanceof RpcMessage.Answer answer) {
      send(answer, client, response);
    } else {
      stream(request, first, outbox, client, response);
    }
  }

  /// Sends an answer. In a session the HTTP status of an error is 200; without one it depends on
  /// the error.
  private static void send(RpcMessage.Answer answer, Client client, Mount.Response response) {
    int status =
        switch (answer) {
          case RpcMessage.Result result -> 200;
          case RpcMessage.Failure(JsonNode id, RpcError error) ->
              client.isStateless() || error.code() == RpcError.FORBIDDEN ? status(error) : 200;
        };
    response.send(status, JSON, answer.text());
  }

  private static void stream(
      RpcMessage.Request request,
      @Nullable RpcMessage first,
      Outbox outbox,
      Client client,
      Mount.Response response)
      throws InterruptedException {
    try (Mount.EventStream stream = response.events()) {
      RpcMessage message = first;
      while (true) {
        stream.send(message == null ? ":\n\n" : event(message));
        if (message instanceof RpcMessage.Answer) {
          return;
        }
        message = outbox.next(QUIET);
      }
    } catch (IOException e) {
      // The client has disconnected, which in one generation means a cancellation.
      if (client.isStateless()) {
        client.session().cancel(request.key());
      }
    }
  }

  private static String event(RpcMessage message) {
    return "event: message\ndata: " + message.text() + "\n\n";
  }

  // Changes.

  /// A stream of changes, in the revision without sessions.
  private void listen(RpcMessage.Request request, Client client, Mount.Response response)
      throws RpcException, InterruptedException {
    Subscription subscription = Subscription.of(request);
    if (!subscription.resources().isEmpty()) {
      methods.check(Method.SUBSCRIBE, client.principal());
    }
    Outbox outbox = new Outbox(new Questions());
    outbox.post(subscription.acknowledged());
    Changes.Listener listener =
        subscription.listen(
            changes, client, notification -> outbox.post(subscription.own(notification)));
    try {
      stream(request, outbox.next(QUIET), outbox, client, response);
    } finally {
      listener.close();
    }
  }

  /// The stream of a session, for messages of the server that belong to no request.
  private void get(Mount.Request http, Mount.Response response)
      throws IOException, InterruptedException {
    Sessions.Open open;
    try {
      if (http.header(Protocol.SESSION_HEADER) == null) {
        response.send(405, Map.of("Allow", "POST"), "");
        return;
      }
      open = session(http);
    } catch (RpcException e) {
      response.send(status(e.error()), JSON, new RpcMessage.Failure(null, e.error()).text());
      return;
    }
    Outbox outbox = new Outbox(open.questions());
    Changes.Listener listener =
        changes.listen(
            open.session().principal(),
            open.session()::allowed,
            open.session().subscribed(),
            outbox::post);
    try (Mount.EventStream stream = response.events()) {
      stream.send(":\n\n");
      while (sessions.find(open.id(), open.owner()) != null) {
        RpcMessage next = outbox.next(QUIET);
        stream.send(next == null ? ":\n\n" : event(next));
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "an MCP client no longer listens");
    } finally {
      listener.close();
    }
  }

  private void delete(Mount.Request http, Mount.Response response) {
    try {
      if (http.header(Protocol.SESSION_HEADER) == null) {
        response.send(405, Map.of("Allow", "POST"), "");
        return;
      }
      sessions.end(session(http));
      response.send(204, Map.of(), "");
    } catch (RpcException e) {
      response.send(status(e.error()), JSON, new RpcMessage.Failure(null, e.error()).text());
    }
  }
}
