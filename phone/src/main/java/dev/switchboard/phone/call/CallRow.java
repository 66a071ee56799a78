package dev.switchboard.phone.call;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.text.DerivedId;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A call in the agent's storage: its conversation, stored at the first signed request, whose id is
/// the call's. The end is an event. A call without that event that is not in progress was
/// interrupted with its process.
///
/// @param from the caller's number, with only the last four digits visible; likewise `to`
/// @param direction such as `inbound`
/// @param started when it arrived, null if unknown
/// @param ended when it ended, null if it is in progress or was interrupted
/// @param reason a word for its end, null if it is in progress or was interrupted
/// @param unmet the tools that were required before its end and have not succeeded
/// @param on whether it is in progress in some process
/// @param turns that have begun
/// @param calls of tools that are settled
public record CallRow(
    String id,
    String from,
    String to,
    String direction,
    @Nullable Instant started,
    @Nullable Instant ended,
    @Nullable String reason,
    List<String> unmet,
    boolean on,
    int turns,
    int calls) {
  private static final String ENDED = "phone/ended"; // the key of the event of its end
  private static final String METADATA = "phone"; // the member of its conversation's metadata
  private static final int LATEST_EVENTS = 50;
  private static final Comparator<CallRow> LATEST_FIRST =
      Comparator.comparing(
              CallRow::started, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
          .reversed()
          .thenComparing(CallRow::id);

  public CallRow {
    unmet = List.copyOf(unmet);
  }

  /// All calls in a store, the latest first.
  public static List<CallRow> all(ConversationStore store) {
    List<CallRow> all = new ArrayList<>();
    SeenLeases seen = new SeenLeases();
    for (Summary conversation : store.directory().conversations()) {
      CallRow row = of(conversation, store, seen);
      if (row != null) {
        all.add(row);
      }
    }
    all.sort(LATEST_FIRST);
    return all;
  }

  /// The call of an id, null if the store has none.
  public static @Nullable CallRow find(ConversationStore store, String id) {
    Summary conversation = store.directory().conversation(id);
    return conversation == null ? null : of(conversation, store, new SeenLeases());
  }

  private static @Nullable CallRow of(
      Summary conversation, ConversationStore store, SeenLeases seen) {
    JsonNode call = conversation.header().metadata().tree().path(METADATA);
    // Clients may give their own conversations any metadata.
    if (!call.isObject()
        || !PrincipalName.isOfCall(conversation.header().principal(), conversation.id())) {
      return null;
    }
    Event.Logged end = end(conversation, store);
    JsonNode how = end == null ? Codec.object() : end.event().tree().path("payload");
    List<String> unmet = new ArrayList<>();
    how.path("unmet").forEach(tool -> unmet.add(tool.asString("")));
    return new CallRow(
        conversation.id(),
        call.path("from").asString(""),
        call.path("to").asString(""),
        call.path("direction").asString(""),
        conversation.started(),
        end == null ? null : end.at(),
        end == null ? null : how.path("reason").asString(""),
        unmet,
        end == null && isHeld(conversation, store, seen),
        conversation.turns(),
        conversation.calls());
  }

  /// The event of its end; only late results may follow it.
  private static Event.@Nullable Logged end(Summary conversation, ConversationStore store) {
    long after = Math.max(0, conversation.events() - LATEST_EVENTS);
    for (Event.Logged event : store.events(conversation.id(), after, LATEST_EVENTS)) {
      if (ENDED.equals(event.key())) {
        return event;
      }
    }
    return after == 0 ? null : store.event(conversation.id(), ENDED);
  }

  private static boolean isHeld(Summary conversation, ConversationStore store, SeenLeases seen) {
    ToolSession session =
        ToolSession.builder(conversation.id())
            .principal(conversation.header().principal())
            .store(store)
            .build();
    return session.host().lease().held(seen) != null;
  }

  /// Opens the conversation of an incoming call as the principal of these options, and stores the
  /// call.
  static LiveSession open(
      Carrier.Arrival arrival, Agent agent, ConversationOptions options, Consumer<Event> sink) {
    ConversationStore store = agent.store();
    if (store == null) {
      return agent.live(arrival.id(), options, sink);
    }
    DerivedId.requireChosen(arrival.id());
    boolean unusedKnownBefore =
        store.directory().create(arrival.id(), header(arrival, options.principal()));
    return agent.live(arrival.id(), options.withLog(event -> {}), sink);
  }

  /// The call's data for tools, prompt and first message.
  ///
  /// @param ofAgent whether the agent's own model replies
  static ConversationOptions options(
      Carrier.Arrival arrival, Time time, CallSettings settings, boolean ofAgent) {
    ConversationOptions options =
        ConversationOptions.NONE
            .withPrincipal(principal(arrival, settings.callersRemembered()))
            .withParagraph(ofAgent ? settings.paragraph() : "")
            .withCaller(arrival.from())
            .withCallee(arrival.to());
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

  /// The client that calls, or the principal of this one call, or of its caller's number. A
  /// withheld number, or an address that is none, is no one's.
  private static String principal(Carrier.Arrival arrival, boolean callers) {
    if (arrival.principal() != null) {
      return arrival.principal();
    }
    return callers && PhoneNumber.is(arrival.from())
        ? PrincipalName.ofCaller(arrival.from())
        : PrincipalName.ofCall(arrival.id());
  }

  private static Header header(Carrier.Arrival arrival, String principal) {
    ObjectNode metadata = Codec.object();
    metadata
        .putObject(METADATA)
        .put("from", PhoneNumber.masked(arrival.from()))
        .put("to", PhoneNumber.masked(arrival.to()))
        .put("direction", arrival.direction());
    return new Header(principal, null, null, Json.of(metadata));
  }

  /// Stores the end of the call.
  static void end(LiveSession live, String reason, List<String> unmet) {
    ObjectNode how = Codec.object().put("reason", reason);
    unmet.forEach(tool -> how.withArray("unmet").add(tool));
    live.show(ENDED, new Event.AgentEvent("call_ended", Json.of(how)));
  }
}
