package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.http.ResponseTooLargeException;
import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;

/// A connection to a server whose protocol revision is known. It adds what that revision requires
/// to requests, and removes it from results.
///
/// Thread-safe.
final class ServerSession implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final int MOST_PAGES = 200;
  private static final int MOST_ITEMS = 10_000;
  private static final int MOST_CHARACTERS = 32 << 20; // of all pages
  private static final int MOST_ROUNDS = 10; // of questions within one request
  private static final int MOST_QUESTIONS = 16; // of one round
  private static final JsonNode OURSELVES =
      Codec.object().put("name", Protocol.OURSELVES).put("version", "0.1");

  private final Transport transport;
  private final ClientFeatures features;
  private final ServerInbox inbox;
  private final ServerFacts facts;
  private final AtomicLong ids;
  private final boolean stateless;

  ServerSession(
      Transport transport,
      ClientFeatures features,
      ServerInbox inbox,
      ServerFacts facts,
      AtomicLong ids) {
    this.transport = transport;
    this.features = features;
    this.inbox = inbox;
    this.facts = facts;
    this.ids = ids;
    stateless = facts.version().equals(Protocol.STATELESS);
  }

  /// The client's name and version.
  static JsonNode ourselves() {
    return OURSELVES;
  }

  /// The `_meta` of each request in the revision without sessions.
  static ObjectNode meta(ClientFeatures features) {
    ObjectNode meta = Codec.object().put(Protocol.VERSION, Protocol.STATELESS);
    meta.set(Protocol.CLIENT_INFO, OURSELVES);
    meta.set(Protocol.CLIENT_CAPABILITIES, features.capabilities());
    return meta;
  }

  /// The server's description of itself.
  ServerFacts facts() {
    return facts;
  }

  /// Whether the connection can no longer be used.
  boolean isLost() {
    return transport.isLost();
  }

  /// The descriptions of its tools, all pages.
  List<JsonNode> tools(Consumer<Runnable> onCancel)
      throws IOException, RpcException, InterruptedException {
    return list("tools/list", "tools", onCancel);
  }

  /// The items that the server lists by that method.
  ///
  /// @param member of the result that contains a page of them
  List<JsonNode> list(String method, String member, Consumer<Runnable> onCancel)
      throws IOException, RpcException, InterruptedException {
    List<JsonNode> all = new ArrayList<>();
    Set<String> cursors = new HashSet<>();
    String cursor = null;
    int length = 0;
    do {
      ObjectNode params = Codec.object();
      if (cursor != null) {
        params.put("cursor", cursor);
      }
      JsonNode page = request(method, params, Map.of(), inbox, onCancel);
      page.path(member).forEach(all::add);
      cursor = page.path("nextCursor").asString(null);
      length += page.toString().length();
      if (all.size() > MOST_ITEMS || cursors.size() >= MOST_PAGES || length > MOST_CHARACTERS) {
        throw new ServerException("the server lists more than is accepted");
      }
    } while (cursor != null && !cursor.isEmpty() && cursors.add(cursor));
    return all;
  }

  /// The result of a call.
  ///
  /// @param parameters the headers that repeat arguments
  /// @param meta sent with the call beside its arguments
  /// @param call receives progress, and its person answers the server's questions; null for none
  JsonNode call(
      String tool,
      JsonNode arguments,
      Map<String, String> parameters,
      ObjectNode meta,
      @Nullable ToolContext call,
      Consumer<Runnable> onCancel)
      throws IOException, RpcException, InterruptedException {
    ObjectNode params = Codec.object().put("name", tool);
    params.set("arguments", arguments);
    params.set("_meta", meta);
    return answered("tools/call", params, parameters, call, onCancel);
  }

  /// The contents of a resource.
  JsonNode resource(String uri, @Nullable ToolContext call, Consumer<Runnable> onCancel)
      throws IOException, RpcException, InterruptedException {
    ObjectNode params = Codec.object().put("uri", uri);
    return answered("resources/read", params, Map.of(), call, onCancel);
  }

  /// The result of a request in which the server may ask questions.
  private JsonNode answered(
      String method,
      ObjectNode params,
      Map<String, String> parameters,
      @Nullable ToolContext call,
      Consumer<Runnable> onCancel)
      throws IOException, RpcException, InterruptedException {
    try (ServerInbox.OfCall ofCall = inbox.of(call)) {
      ObjectNode asked = params;
      for (int round = 0; round < MOST_ROUNDS; round++) {
        JsonNode result = request(method, asked, parameters, ofCall, onCancel);
        if (!result.path("resultType").asString("").equals("input_required")) {
          return result;
        }
        asked = params.deepCopy();
        asked.set("inputResponses", responses(result.path("inputRequests"), call));
        if (result.has("requestState")) {
          asked.set("requestState", result.get("requestState"));
        }
      }
    }
    throw new ServerException("the server does not stop asking");
  }

  private ObjectNode responses(JsonNode questions, @Nullable ToolContext call) throws IOException {
    if (questions.size() > MOST_QUESTIONS) {
      throw new ServerException("the server asks more than " + MOST_QUESTIONS + " things at once");
    }
    ObjectNode responses = Codec.object();
    for (Map.Entry<String, JsonNode> question : questions.properties()) {
      String method = question.getValue().path("method").asString("");
      JsonNode params = question.getValue().path("params");
      try {
        responses.set(question.getKey(), features.answer(method, params, call));
      } catch (RpcException e) {
        throw new ServerException("it sends a request that is not supported: " + e.getMessage());
      }
    }
    return responses;
  }

  /// Whether the server reports changes of its tools only during a request for them.
  boolean sendsChangesOnRequest() {
    return stateless && facts.tellsOfTools();
  }

  /// Listens for changes until the server ends that.
  void listenForChanges(Consumer<Runnable> onCancel)
      throws IOException, RpcException, InterruptedException {
    ObjectNode params = Codec.object();
    params.putObject("notifications").put("toolsListChanged", true);
    JsonNode unused = request("subscriptions/listen", params, Map.of(), inbox, onCancel);
  }

  private JsonNode request(
      String method,
      ObjectNode params,
      Map<String, String> parameters,
      Transport.Inbox ofRequest,
      Consumer<Runnable> onCancel)
      throws IOException, RpcException, InterruptedException {
    long id = ids.incrementAndGet();
    ObjectNode sent = params;
    if (stateless || params.has("_meta")) {
      sent = Codec.object().setAll(params);
      sent.set("_meta", meta(params.path("_meta"), id));
    }
    RpcMessage.Request request = new RpcMessage.Request(LongNode.valueOf(id), method, sent);
    boolean pending = true;
    try {
      RpcMessage.Answer answer =
          transport.exchange(request, headers(request, parameters), ofRequest, onCancel);
      pending = false;
      return switch (answer) {
        case RpcMessage.Result result -> complete(result.result());
        case RpcMessage.Failure failure -> throw new RpcException(failure.error());
      };
    } catch (HttpFailure | NotSentException | ResponseTooLargeException e) {
      pending = false;
      throw e;
    } catch (ServerException e) {
      pending = !e.isAnswered();
      throw e;
    } finally {
      if (pending && !transport.cancelsByClosing() && !transport.isLost()) {
        ofRequest.abandoned();
        cancel(request);
      }
    }
  }

  private ObjectNode meta(JsonNode own, long id) {
    ObjectNode meta = stateless ? meta(features) : Codec.object();
    if (own.isObject()) {
      own.properties().forEach(member -> meta.set(member.getKey(), member.getValue()));
      meta.set(Protocol.PROGRESS_TOKEN, LongNode.valueOf(id));
    }
    return meta;
  }

  private Map<String, String> headers(RpcMessage.Request request, Map<String, String> parameters) {
    return stateless ? RequestHeaders.of(request, parameters) : Map.of();
  }

  private static JsonNode complete(JsonNode result) throws IOException {
    String type = result.path("resultType").asString("complete");
    if (!type.equals("complete") && !type.equals("input_required")) {
      throw new ServerException("the server's result is of a type that was not agreed on");
    }
    return result;
  }

  private void cancel(RpcMessage.Request request) {
    ObjectNode params = Codec.object();
    params.set("requestId", request.id());
    params.put("reason", "the answer is no longer awaited");
    Thread.ofVirtual()
        .name("mcp cancel")
        .start(() -> {
          try {
            transport.post(new RpcMessage.Notification("notifications/cancelled", params));
          } catch (IOException e) {
            LOG.log(Level.DEBUG, "a server was not told of a cancelled request");
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Override
  public void close() {
    transport.close();
  }
}
