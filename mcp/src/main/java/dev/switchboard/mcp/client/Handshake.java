package dev.switchboard.mcp.client;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;

/// Opens a connection and determines the protocol revision of the server.
///
/// It sends `server/discover`, of the revision without sessions. If the server does not know that,
/// it opens a session with `initialize`.
final class Handshake {
  private static final Duration PROBE = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofDays(1); // no more than any request may take
  private static final List<Integer> NOT_OF_REVISION = List.of(401, 403, 429, 502, 503, 504);

  private final Transport transport;
  private final ClientFeatures features;
  private final ServerInbox inbox;
  private final Function<Duration, Deadline> limits;
  private final AtomicLong ids = new AtomicLong();

  /// @param limits returns the deadline of a request with that time limit
  Handshake(
      Transport transport,
      ClientFeatures features,
      ServerInbox inbox,
      Function<Duration, Deadline> limits) {
    this.transport = transport;
    this.features = features;
    this.inbox = inbox;
    this.limits = limits;
  }

  /// The session, ready for requests.
  ///
  /// @throws RpcException when the server refuses
  /// @throws IOException when it is unreachable, or speaks no supported revision
  ServerSession session() throws IOException, RpcException, InterruptedException {
    JsonNode discovered = discovered();
    if (discovered != null) {
      transport.speaks(Protocol.STATELESS);
      transport.listen(inbox);
      return session(ServerFacts.of(Protocol.STATELESS, discovered));
    }
    transport.speaks(null);
    JsonNode result = initialized();
    String version = result.path("protocolVersion").asString("");
    if (!Protocol.WITH_SESSIONS.contains(version)) {
      throw new ServerException("the server speaks an unknown revision of MCP");
    }
    transport.speaks(version);
    transport.post(new RpcMessage.Notification("notifications/initialized", Codec.object()));
    transport.listen(inbox);
    return session(ServerFacts.of(version, result));
  }

  private ServerSession session(ServerFacts facts) {
    return new ServerSession(transport, features, inbox, facts, ids);
  }

  /// The result of `server/discover`; null if the server needs a session.
  private @Nullable JsonNode discovered() throws IOException, RpcException, InterruptedException {
    return discovered(true);
  }

  /// @param again whether to ask once more if the server refuses a revision that it lists
  private @Nullable JsonNode discovered(boolean again)
      throws IOException, RpcException, InterruptedException {
    ObjectNode params = Codec.object();
    params.set("_meta", ServerSession.meta(features));
    RpcMessage.Request request = request("server/discover", params);
    transport.speaks(Protocol.STATELESS);
    RpcMessage.Answer answer;
    try (Deadline deadline = limits.apply(PROBE)) {
      try {
        answer = transport.exchange(request, RequestHeaders.of(request, Map.of()), inbox, deadline);
      } catch (HttpFailure e) {
        if (NOT_OF_REVISION.contains(e.answer().status())) {
          throw e;
        }
        return null;
      } catch (ServerException e) {
        if (!e.isAnswered() && (!deadline.isOver() || transport.isLost())) {
          throw e;
        }
        return null;
      } catch (IOException e) {
        if (!deadline.isOver() || transport.isLost()) {
          throw e;
        }
        return null;
      }
    }
    return switch (answer) {
      case RpcMessage.Result result -> discovered(result.result());
      case RpcMessage.Failure failure -> {
        if (!isOfRevision(failure.error())) {
          yield null;
        }
        JsonNode listed = versions(failure.error());
        yield again && isIn(listed, List.of(Protocol.STATELESS))
            ? discovered(false)
            : sessionsOf(listed);
      }
    };
  }

  private static @Nullable JsonNode discovered(JsonNode result) throws IOException {
    JsonNode versions = result.path("supportedVersions");
    if (!versions.isArray()) {
      return null;
    }
    return isIn(versions, List.of(Protocol.STATELESS)) ? result : sessionsOf(versions);
  }

  private static boolean isOfRevision(RpcError error) {
    return error.code() <= RpcError.HEADER_MISMATCH && error.code() >= RpcError.UNSUPPORTED_VERSION;
  }

  private static JsonNode versions(RpcError error) throws RpcException {
    if (error.code() != RpcError.UNSUPPORTED_VERSION || error.data() == null) {
      throw new RpcException(error);
    }
    return error.data().path("supported");
  }

  private static @Nullable JsonNode sessionsOf(JsonNode versions) throws IOException {
    if (!isIn(versions, Protocol.WITH_SESSIONS)) {
      throw new ServerException("the server speaks no known revision of MCP");
    }
    return null;
  }

  private static boolean isIn(JsonNode versions, List<String> known) {
    for (JsonNode version : versions) {
      if (known.contains(version.asString(""))) {
        return true;
      }
    }
    return false;
  }

  private JsonNode initialized() throws IOException, RpcException, InterruptedException {
    ObjectNode params = Codec.object().put("protocolVersion", Protocol.WITH_SESSIONS.getFirst());
    params.set("capabilities", features.capabilities());
    params.set("clientInfo", ServerSession.ourselves());
    Deadline deadline = limits.apply(LONGEST);
    try (deadline) {
      RpcMessage.Answer answer =
          transport.exchange(request("initialize", params), Map.of(), inbox, deadline);
      return switch (answer) {
        case RpcMessage.Result result -> result.result();
        case RpcMessage.Failure failure -> throw new RpcException(failure.error());
      };
    } catch (IOException e) {
      throw deadline.explained(e);
    }
  }

  private RpcMessage.Request request(String method, ObjectNode params) {
    return new RpcMessage.Request(LongNode.valueOf(ids.incrementAndGet()), method, params);
  }
}
