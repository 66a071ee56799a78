package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Header;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// What stands of a call in the agent's storage, from its first signed request on: the row of its
/// conversation, whose id is the call's, with who called whom; and how it ended, as an event. A
/// call without that event which is not on was cut off with its process.
public final class CallRow {
  /// The key of the event that tells the end of a call.
  public static final String ENDED = "phone/ended";

  /// The member of a conversation's metadata that calls have.
  public static final String METADATA = "phone";

  private CallRow() {}

  /// Opens the conversation of a call that has come in, and writes its row.
  static LiveSession open(
      Carrier.Arrival arrival, Agent agent, ConversationOptions options, Consumer<Event> sink) {
    ConversationStore store = agent.store();
    if (store == null) {
      return agent.live(arrival.id(), options, sink);
    }
    boolean unusedKnownBefore = store.create(arrival.id(), header(arrival));
    return agent.live(arrival.id(), options.withLog(event -> {}), sink);
  }

  /// What tools, prompt and first message know of the call.
  static ConversationOptions options(Carrier.Arrival arrival, Time time) {
    ConversationOptions options =
        ConversationOptions.NONE.withCaller(arrival.from()).withCallee(arrival.to());
    for (var parameter : arrival.parameters().entrySet()) {
      options = options.withVariable(parameter.getKey(), parameter.getValue());
    }
    return options
        .withVariable("caller", arrival.from())
        .withVariable("callee", arrival.to())
        .withVariable("call_id", arrival.id())
        .withVariable("direction", arrival.direction())
        .withVariable("now", time.now().toString());
  }

  private static Header header(Carrier.Arrival arrival) {
    ObjectNode metadata = Codec.object();
    metadata
        .putObject(METADATA)
        .put("from", masked(arrival.from()))
        .put("to", masked(arrival.to()))
        .put("direction", arrival.direction());
    return new Header(null, null, null, Json.of(metadata));
  }

  /// The number with all but its last four digits hidden.
  public static String masked(String number) {
    return number.length() <= 4 ? "***" : "***" + number.substring(number.length() - 4);
  }

  /// Writes how the call ended.
  static void end(LiveSession live, String reason, List<String> unmet) {
    ObjectNode how = Codec.object().put("reason", reason);
    unmet.forEach(tool -> how.withArray("unmet").add(tool));
    live.show(ENDED, new Event.AgentEvent("call_ended", Json.of(how)));
  }
}
