package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The methods for clients, over every transport.
///
/// Thread-safe.
final class Methods {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.mcp");
  private static final int SECOND = 1_000; // milliseconds

  private final Agent agent;
  private final Offered offered;

  Methods(Agent agent, Offered offered) {
    this.agent = agent;
    this.offered = offered;
  }

  /// The server's part of `initialize`.
  ///
  /// @param requested the revision that the client prefers
  ObjectNode initialize(String requested, Principal principal) {
    boolean known = Protocol.WITH_SESSIONS.contains(requested);
    ObjectNode result =
        Codec.object()
            .put("protocolVersion", known ? requested : Protocol.WITH_SESSIONS.getFirst());
    result.set("capabilities", capabilities(principal));
    result.set("serverInfo", serverInfo());
    return result;
  }

  /// What that principal may use.
  private ObjectNode capabilities(Principal principal) {
    ObjectNode capabilities = Codec.object();
    capabilities.putObject("tools").put("listChanged", true);
    if (principal.may(needed(Method.SUBSCRIBE))) {
      capabilities.putObject("resources").put("subscribe", true);
    }
    if (principal.may(needed(Method.GET_PROMPT))) {
      capabilities.putObject("prompts");
    }
    return capabilities;
  }

  /// The permission that a request needs.
  Permission needed(Method method) {
    return method.needed(agent.sharedOverMcp());
  }

  /// @throws RpcException when the principal may not send that request
  void check(Method method, Principal principal) throws RpcException {
    Permission needed = needed(method);
    if (!principal.may(needed)) {
      throw new RpcException(RpcError.FORBIDDEN, principal.refusal(needed));
    }
  }

  private ObjectNode serverInfo() {
    return Codec.object().put("name", agent.name()).put("version", "0.1");
  }

  /// The answer to that request.
  RpcMessage.Answer answer(RpcMessage.Request request, Client client, Peer peer) {
    try {
      return new RpcMessage.Result(request.id(), answered(request, client, peer));
    } catch (RpcException e) {
      return new RpcMessage.Failure(request.id(), e.error());
    } catch (FullException e) {
      RpcError full = new RpcError(RpcError.FULL, String.valueOf(e.getMessage()), null);
      return new RpcMessage.Failure(request.id(), full);
    } catch (InterruptedException e) {
      return failure(request, "The request was cancelled");
    } catch (RuntimeException e) {
      ExceptionLog.warn(LOG, "a request of an MCP client failed", e);
      return failure(request, "Internal error");
    }
  }

  private static RpcMessage.Failure failure(RpcMessage.Request request, String sentence) {
    return new RpcMessage.Failure(request.id(), new RpcError(RpcError.INTERNAL, sentence, null));
  }

  private ObjectNode answered(RpcMessage.Request request, Client client, Peer peer)
      throws RpcException, InterruptedException {
    ObjectNode result = result(request, client, peer);
    if (client.isStateless()) {
      if (!result.has("resultType")) {
        result.put("resultType", "complete");
      }
      ObjectNode meta = Codec.object();
      meta.set(Protocol.SERVER_INFO, serverInfo());
      result.set("_meta", meta);
    }
    return result;
  }

  private ObjectNode result(RpcMessage.Request request, Client client, Peer peer)
      throws RpcException, InterruptedException {
    JsonNode params = request.params();
    Method method = Method.of(request.method());
    if (method == null || client.isStateless() && method.isOfSessions()) {
      throw notFound(request);
    }
    check(method, client.principal());
    return switch (method) {
      case DISCOVER -> cached(discovered(client), client);
      case LIST_TOOLS -> cached(listed(client), client);
      case CALL_TOOL -> call(request, client, peer);
      case LIST_RESOURCES -> cached(offered.resources(client), client);
      case LIST_TEMPLATES -> {
        ObjectNode none = Codec.object();
        none.putArray("resourceTemplates");
        yield cached(none, client);
      }
      case READ_RESOURCE -> cached(offered.read(params, client), client);
      case LIST_PROMPTS -> cached(offered.prompts(), client);
      case GET_PROMPT -> offered.prompt(params, client);
      case PING -> Codec.object();
      case SUBSCRIBE -> {
        offered.subscribe(params, client);
        yield Codec.object();
      }
      case UNSUBSCRIBE -> {
        client.session().subscribed().remove(params.path("uri").asString(""));
        yield Codec.object();
      }
      // The transports answer these.
      case INITIALIZE, LISTEN -> throw notFound(request);
    };
  }

  private static RpcException notFound(RpcMessage.Request request) {
    return new RpcException(
        RpcError.METHOD_NOT_FOUND, "Method not found: '" + request.method() + "'");
  }

  /// A result with its caching time, in the revision that has one.
  private static ObjectNode cached(ObjectNode result, Client client) {
    return client.isStateless() ? result.put("ttlMs", SECOND).put("cacheScope", "private") : result;
  }

  private ObjectNode discovered(Client client) {
    ObjectNode result = Codec.object();
    var versions = result.putArray("supportedVersions").add(Protocol.STATELESS);
    Protocol.WITH_SESSIONS.forEach(versions::add);
    result.set("capabilities", capabilities(client.principal()));
    return result;
  }

  private static ObjectNode listed(Client client) {
    List<ToolDefinition> tools =
        client.isStateless() ? client.session().tools() : client.session().allowed();
    ObjectNode result = Codec.object();
    result.set("tools", ToolAnswers.described(tools));
    return result;
  }

  // Calls.

  private ObjectNode call(RpcMessage.Request request, Client client, Peer peer)
      throws RpcException, InterruptedException {
    JsonNode params = request.params();
    JsonNode name = params.path("name");
    JsonNode arguments = params.hasNonNull("arguments") ? params.get("arguments") : Codec.object();
    if (!name.isString() || !arguments.isObject()) {
      throw new RpcException(
          RpcError.INVALID_PARAMS, "tools/call needs a 'name', and 'arguments' that are an object");
    }
    if (params.hasNonNull("requestState")) {
      return resumed(params, client);
    }
    // In a session a request is identified by its id, so that a repeated one runs once.
    String id = client.isStateless() ? UUID.randomUUID().toString() : "rpc_" + request.key();
    ToolCall call = ToolCall.of(id, name.stringValue(), arguments.toString());
    CallStep step = client.session().run(request.key(), call, progress(params.path("_meta"), peer));
    return switch (step) {
      case CallStep.Settled(ToolResult result) -> settled(result, call.name(), client);
      case CallStep.Pending(ConsentRequest pending) -> pending(pending, client, peer);
    };
  }

  private ObjectNode settled(ToolResult result, String tool, Client client) throws RpcException {
    if (result.code() == ResultCode.UNKNOWN_TOOL) {
      throw new RpcException(RpcError.INVALID_PARAMS, String.valueOf(result.error()));
    }
    return ToolAnswers.result(result, definition(tool, client));
  }

  private static @Nullable ToolDefinition definition(String tool, Client client) {
    return client.session().tools().stream()
        .filter(one -> one.name().equals(tool))
        .findFirst()
        .orElse(null);
  }

  /// Reports a call's progress if the client requested it.
  private static Consumer<String> progress(JsonNode meta, Peer peer) {
    JsonNode token = meta.path(Protocol.PROGRESS_TOKEN);
    if (!token.isString() && !token.isIntegralNumber()) {
      return hint -> {};
    }
    AtomicLong steps = new AtomicLong();
    return hint -> {
      ObjectNode progress = Codec.object();
      progress.set(Protocol.PROGRESS_TOKEN, token);
      progress.put("progress", steps.incrementAndGet()).put("message", hint);
      peer.post(new RpcMessage.Notification("notifications/progress", progress));
    };
  }

  // Consent.

  private ObjectNode pending(ConsentRequest request, Client client, Peer peer)
      throws RpcException, InterruptedException {
    if (!client.canBeAsked()) {
      return ToolAnswers.text(
          "Tool '%s' needs a person's consent and has not run. The request has the id '%s'; %s with that id tells its outcome."
              .formatted(request.call().name(), request.id(), ClientSession.STATUS));
    }
    ObjectNode question = question(request);
    if (client.isStateless()) {
      ObjectNode result = Codec.object().put("resultType", "input_required");
      ObjectNode asked = result.putObject("inputRequests").putObject("consent");
      asked.put("method", "elicitation/create").set("params", question);
      return result.put("requestState", request.id());
    }
    Duration left = Duration.between(agent.time().now(), request.expiresAt());
    JsonNode reply;
    try {
      reply = peer.ask("elicitation/create", question, left);
    } catch (RpcException e) {
      reply = Codec.object().put("action", "cancel");
    }
    return answered(request.id(), request.call().name(), reply, client);
  }

  private static ObjectNode question(ConsentRequest request) {
    String arguments = request.call().arguments().text();
    ObjectNode question =
        Codec.object()
            .put("mode", "form")
            .put(
                "message",
                "%s Run '%s' with %s?"
                    .formatted(request.reason(), request.call().name(), arguments));
    question.putObject("requestedSchema").put("type", "object").putObject("properties");
    return question;
  }

  /// Continues a call that waited for the client's answer to its question.
  private ObjectNode resumed(JsonNode params, Client client) throws RpcException {
    String id = params.path("requestState").asString("");
    JsonNode reply = params.path("inputResponses").path("consent");
    String tool = params.path("name").asString("");
    if (!client.canBeAsked() || !client.session().isWaiting(id, tool)) {
      throw new RpcException(
          RpcError.INVALID_PARAMS, "requestState is not that of a call that waits");
    }
    return answered(id, tool, reply, client);
  }

  private ObjectNode answered(String id, String tool, JsonNode reply, Client client)
      throws RpcException {
    boolean agreed = reply.path("action").asString("").equals("accept");
    Answer answer =
        agreed
            ? Answer.approveOnce().by(client.principal().by())
            : Answer.deny("the user did not agree").by(client.principal().by());
    ToolResult result =
        client
            .session()
            .answer(id, answer)
            .orElseThrow(
                () -> new RpcException(RpcError.INTERNAL, "the call is settled elsewhere"));
    return settled(result, tool, client);
  }
}
