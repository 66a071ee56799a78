package dev.switchboard.mcp.server;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The changes that a client subscribes to, in the revision without sessions.
///
/// @param id of the request
/// @param tools whether to report changed tools
/// @param resources the URIs of resources whose changes to report
record Subscription(JsonNode id, boolean tools, Set<String> resources) {
  private static final int MOST = 1_000;

  /// The subscription of a request `subscriptions/listen`.
  static Subscription of(RpcMessage.Request request) {
    JsonNode wanted = request.params().path("notifications");
    Set<String> resources = new LinkedHashSet<>();
    for (JsonNode uri : wanted.path("resourceSubscriptions")) {
      if (uri.isString() && resources.size() < MOST) {
        resources.add(uri.stringValue());
      }
    }
    boolean tools = wanted.path("toolsListChanged").asBoolean(false);
    return new Subscription(request.id(), tools, resources);
  }

  /// The first message, which confirms what is reported.
  RpcMessage.Notification acknowledged() {
    ObjectNode params = Codec.object();
    ObjectNode honoured = params.putObject("notifications");
    if (tools) {
      honoured.put("toolsListChanged", true);
    }
    if (!resources.isEmpty()) {
      resources.forEach(honoured.putArray("resourceSubscriptions")::add);
    }
    return own(new RpcMessage.Notification("notifications/subscriptions/acknowledged", params));
  }

  /// The notification, marked as one of this subscription.
  RpcMessage.Notification own(RpcMessage.Notification notification) {
    ObjectNode params = Codec.object();
    notification
        .params()
        .properties()
        .forEach(member -> params.set(member.getKey(), member.getValue()));
    ObjectNode meta = Codec.object();
    meta.set(Protocol.SUBSCRIPTION, id);
    params.set("_meta", meta);
    return new RpcMessage.Notification(notification.method(), params);
  }

  /// Reports changes there from now on.
  Changes.Listener listen(Changes changes, Client client, Consumer<RpcMessage.Notification> to) {
    return changes.listen(
        client.principal().name(), tools ? client.session()::tools : null, resources, to);
  }
}
