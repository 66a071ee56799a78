package dev.switchboard.server;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Places;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import java.lang.System.Logger.Level;
import java.net.URI;
import tools.jackson.databind.JsonNode;

/// Posts each request for consent to a web service: a webhook `consent_request`, with the request
/// as its arguments. It is signed, retried and guarded like the webhook of a tool.
final class PendingHook implements EventWatcher {
  private static final System.Logger LOG = System.getLogger(PendingHook.class.getName());
  private static final String TOOL = "consent_request";

  private final ToolExecutor executor;
  private final Places places = new Places(Bound.HOOKS);

  /// @throws IllegalArgumentException when the guard refuses the URL
  PendingHook(URI url, Secret secret, GuardedHttp http) {
    executor =
        ToolExecutor.of(
            Tool.dynamic(TOOL).mode(ToolMode.EXTERNAL).network(http).webhook(url, secret));
  }

  @Override
  public void handle(ServedAgent agent, String conversation, Event.Logged event) {
    JsonNode tree = event.event().tree();
    if (tree.path("event").asString("").equals("consent_request")) {
      String call = tree.path("payload").path("id").asString("");
      String principal = agent.principal(conversation);
      try {
        Places.Place place = places.acquire(principal == null ? "" : principal);
        // The request is read from the store.
        Thread.ofVirtual()
            .name("on-pending")
            .start(() -> {
              try (place) {
                sendRequest(agent, conversation, call);
              }
            });
      } catch (FullException e) {
        LOG.log(Level.WARNING, "a request for consent could not be sent: " + e.getMessage());
      }
    }
  }

  private void sendRequest(ServedAgent agent, String conversation, String call) {
    ConsentRequest waiting = agent.waiting(conversation, call);
    if (waiting != null) {
      String principal = agent.principal(conversation);
      send(conversation, call, Json.of(ResponseBodies.request(agent, waiting, principal)));
    }
  }

  private void send(String conversation, String call, Json body) {
    ToolResult result =
        executor.execute(ToolCall.of(call, TOOL, body.text()), ToolSession.of(conversation));
    if (!result.success()) {
      LOG.log(Level.WARNING, "a request for consent could not be sent: " + result.code());
      LOG.log(Level.DEBUG, () -> "a request for consent could not be sent: " + result.error());
    }
  }
}
