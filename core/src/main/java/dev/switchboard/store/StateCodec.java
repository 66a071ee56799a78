package dev.switchboard.store;

import dev.switchboard.consent.ConsentAnswer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.consent.Grant;
import dev.switchboard.consent.Grants;
import dev.switchboard.execution.AgentState;
import dev.switchboard.execution.SessionState;
import dev.switchboard.execution.SessionState.Waiting;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleCodec;
import dev.switchboard.rule.StopReason;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// [SessionState] and [AgentState] to and from JSON that names its version.
final class StateCodec {
  private static final int VERSION = 1;

  private StateCodec() {}

  static String write(SessionState state) {
    ObjectNode out = Codec.object().put("v", VERSION).put("turn", state.turn());
    out.set("rules", RuleCodec.write(state.rules()).tree());
    StopReason exit = state.exit();
    if (exit != null) {
      out.put("exit", exit.word());
    }
    state.waiting().forEach(waiting -> out.withArray("waiting").add(waiting(waiting)));
    state.running().forEach(id -> out.withArray("running").add(id));
    state.answers().forEach(answer -> out.withArray("answers").add(answer.json().tree()));
    return Json.of(out).text();
  }

  private static ObjectNode waiting(Waiting waiting) {
    ObjectNode out = Codec.object();
    out.set("request", waiting.request().stored().tree());
    Instant until = waiting.takenUntil();
    return until == null ? out : out.put("takenUntil", until.toString());
  }

  static String write(AgentState state) {
    ObjectNode out = Codec.object().put("v", VERSION);
    out.set("uses", RuleCodec.write(state.uses()).tree());
    state.grants().all().forEach(grant -> out.withArray("grants").add(grant.json().tree()));
    return Json.of(out).text();
  }

  /// @throws IllegalArgumentException when it is no such state, the rest of a sentence
  static SessionState conversation(String text) {
    return read(
        text,
        in ->
            new SessionState(
                in.path("turn").intValue(),
                RuleCodec.state(Json.of(in.path("rules"))),
                exit(in.get("exit")),
                in.path("waiting").valueStream().map(StateCodec::waiting).toList(),
                in.path("running")
                    .valueStream()
                    .map(JsonNode::stringValue)
                    .collect(Collectors.toSet()),
                in.path("answers").valueStream().map(ConsentAnswer::read).toList()));
  }

  private static @Nullable StopReason exit(@Nullable JsonNode word) {
    return word == null ? null : StopReason.valueOf(word.stringValue().toUpperCase(Locale.ROOT));
  }

  private static Waiting waiting(JsonNode in) {
    JsonNode until = in.get("takenUntil");
    return new Waiting(
        ConsentRequest.read(in.path("request")),
        until == null ? null : Instant.parse(until.stringValue()));
  }

  /// @throws IllegalArgumentException when it is no such state, the rest of a sentence
  static AgentState agent(String text) {
    return read(
        text,
        in ->
            new AgentState(
                RuleCodec.tallies(Json.of(in.path("uses"))),
                new Grants(in.path("grants").valueStream().map(Grant::read).toList())));
  }

  private static <S> S read(String text, Function<JsonNode, S> read) {
    int version;
    try {
      JsonNode in = Json.text(text).tree();
      version = in.path("v").asInt(0);
      if (version == VERSION) {
        return read.apply(in);
      }
    } catch (RuntimeException e) {
      // Without the cause: its message may hold arguments of a call.
      throw new IllegalArgumentException("is damaged");
    }
    throw new IllegalArgumentException(
        "is of version %d, and only version %d can be read".formatted(version, VERSION));
  }
}
