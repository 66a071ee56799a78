package dev.switchboard.server.dialect;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Encodes one run for a client of AG-UI 1.0. The first event is `RUN_STARTED`, the last
/// `RUN_FINISHED` or `RUN_ERROR`; nothing follows it.
///
/// Ids of messages are `msg_` and the number of their first event; ids of results are `res_`, and
/// of hints `hint_`, and the id of their call.
public final class AgUi implements Encoder {
  private final String thread;
  private final String run;
  private final Function<String, @Nullable Json> schemas;
  private final Frames frames;
  private final Consumer<ObjectNode> out;
  private final CallTracker calls = new CallTracker();
  private @Nullable String message; // the open one
  private @Nullable String parent; // the message of this round's calls
  private @Nullable JsonNode problem; // the last event that reported one
  private boolean finished;

  /// @param thread the conversation's id
  /// @param run the client's id of the run
  /// @param schemas the parameters of the tool of that name, null if the client may only approve
  ///   the call as it is, once
  public AgUi(String thread, String run, Function<String, @Nullable Json> schemas) {
    this(thread, run, schemas, new Frames(), null);
  }

  private AgUi(
      String thread,
      String run,
      Function<String, @Nullable Json> schemas,
      Frames frames,
      @Nullable Consumer<ObjectNode> out) {
    this.thread = thread;
    this.run = run;
    this.schemas = schemas;
    this.frames = frames;
    this.out = out == null ? frames : out;
  }

  /// An encoder that passes its events to that consumer instead of writing frames.
  static AgUi into(Consumer<ObjectNode> out) {
    return new AgUi("", "", name -> null, new Frames(), out);
  }

  /// A run that is refused before it begins, as the only frame of its stream.
  ///
  /// @param code such as `consent_pending`
  public static String refused(String sentence, String code) {
    Frames refused = new Frames();
    refused.accept(Frames.of("RUN_ERROR").put("message", sentence).put("code", code));
    return refused.take();
  }

  @Override
  public void seen(Event.Logged event) {
    ObjectNode frame = Frames.read(event);
    noteProblem(frame);
    calls.note(frame);
  }

  private void noteProblem(ObjectNode event) {
    String type = event.path("type").asString("");
    if (type.equals("error") || type.equals("budget_exhausted")) {
      problem = event;
    }
  }

  @Override
  public String begin() {
    out.accept(ofRun("RUN_STARTED").put("protocolVersion", "1.0"));
    return frames.take();
  }

  private ObjectNode ofRun(String type) {
    return Frames.of(type).put("threadId", thread).put("runId", run);
  }

  /// A message to the client about unused parts of its input; follows [#begin()].
  public String warning(String sentence) {
    custom("warning", Codec.object().put("message", sentence));
    return frames.take();
  }

  /// The earlier messages, for a client that has lost its stream; follows [#begin()].
  ///
  /// @param messages as in [AgUiHistory]
  public String snapshot(Json messages) {
    ObjectNode snapshot = Frames.of("MESSAGES_SNAPSHOT");
    snapshot.set("messages", messages.tree());
    out.accept(snapshot);
    return frames.take();
  }

  @Override
  public String encode(Event.Logged event) {
    if (!finished) {
      translate(event.number(), Frames.read(event));
    }
    return frames.take();
  }

  @Override
  public String end() {
    return "";
  }

  private void translate(long number, ObjectNode event) {
    JsonNode payload = event.path("payload");
    switch (event.path("type").asString("")) {
      case "content" -> words(number, event.path("content").asString(""));
      case "tool_call" -> called(payload.path("id").asString(""), event);
      case "tool_result" -> settled(payload.path("callId").asString(""), payload);
      case "loader-hint" -> hint(event);
      case "agent" -> happened(event.path("event").asString(""), payload);
      case "error", "budget_exhausted" -> {
        noteProblem(event);
        custom(event.path("type").asString(), without(event, "type"));
        words(number, Ending.sentence(event));
      }
      case "done" -> done(payload);
      default -> {}
    }
    calls.note(event);
  }

  private void words(long number, String text) {
    if (text.isEmpty()) {
      return;
    }
    if (calls.roundIsOver()) {
      rest();
    }
    if (message == null) {
      message = "msg_" + number;
      parent = message;
      out.accept(ofMessage("TEXT_MESSAGE_START", message).put("role", "assistant"));
    }
    out.accept(ofMessage("TEXT_MESSAGE_CONTENT", message).put("delta", text));
  }

  private static ObjectNode ofMessage(String type, String id) {
    return Frames.of(type).put("messageId", id);
  }

  private void endMessage() {
    if (message != null) {
      out.accept(ofMessage("TEXT_MESSAGE_END", message));
      message = null;
    }
  }

  /// Ends the open message, before another round or the end.
  void rest() {
    endMessage();
    parent = null;
  }

  private void called(String id, JsonNode event) {
    if (calls.call(id) != null) {
      return;
    }
    endMessage();
    if (calls.roundIsOver()) {
      rest();
    }
    JsonNode call = event.path("payload");
    ObjectNode start = Frames.of("TOOL_CALL_START").put("toolCallId", id);
    start.put("toolCallName", call.path("name").asString(""));
    if (parent != null) {
      start.put("parentMessageId", parent);
    }
    ObjectNode metadata = Codec.object();
    copy(event, "mode", metadata);
    copy(event, "auto", metadata);
    putMetadata(start, metadata);
    out.accept(start);
    ObjectNode arguments = Frames.of("TOOL_CALL_ARGS").put("toolCallId", id);
    out.accept(arguments.put("delta", Frames.text(CallTracker.arguments(call))));
    out.accept(Frames.of("TOOL_CALL_END").put("toolCallId", id));
  }

  static void copy(JsonNode from, String name, ObjectNode to) {
    if (from.hasNonNull(name)) {
      to.set(name, from.get(name));
    }
  }

  static void putMetadata(ObjectNode event, ObjectNode ours) {
    if (!ours.isEmpty()) {
      event.putObject("metadata").set("switchboard", ours);
    }
  }

  private void settled(String id, JsonNode result) {
    if (calls.isSettled(id)) {
      return;
    }
    endMessage();
    ObjectNode frame = ofMessage("TOOL_CALL_RESULT", "res_" + id);
    frame.put("toolCallId", id).put("role", "tool").put("content", CallTracker.text(result));
    ObjectNode metadata = without(result, "callId", "text");
    metadata.forEachEntry((name, value) -> metadata.set(name, Frames.shallow(value)));
    putMetadata(frame, metadata);
    out.accept(frame);
  }

  /// A copy without those members, and without null.
  static ObjectNode without(JsonNode event, String... names) {
    ObjectNode copy = Codec.object();
    List<String> left = List.of(names);
    for (Map.Entry<String, JsonNode> member : event.properties()) {
      if (!left.contains(member.getKey()) && !member.getValue().isNull()) {
        copy.set(member.getKey(), member.getValue());
      }
    }
    return copy;
  }

  private void hint(JsonNode event) {
    String call = event.path("taskId").asString("");
    if (!calls.isSettled(call)) {
      ObjectNode hint = ofMessage("ACTIVITY_SNAPSHOT", "hint_" + call);
      hint.put("activityType", "switchboard.progress");
      hint.putObject("content")
          .put("toolCallId", call)
          .put("text", event.path("hint").asString(""));
      out.accept(hint.put("replace", true));
    }
  }

  private void happened(String what, JsonNode payload) {
    switch (what) {
      case "user", "run" -> {
        // The client has sent or started it.
        return;
      }
      case "reply_restarted" -> rest();
      default -> {}
    }
    ObjectNode value = without(payload);
    if (what.startsWith("consent_")) {
      value.put("id", CallTracker.qualified(thread, payload));
    }
    custom(what, value);
  }

  private void custom(String name, ObjectNode value) {
    ObjectNode custom = Frames.of("CUSTOM").put("name", "switchboard." + name);
    custom.set("value", value);
    out.accept(custom);
  }

  private void done(JsonNode payload) {
    String reason = payload.path("stopReason").asString("");
    rest();
    finished = true;
    switch (reason) {
      case "model_error", "model_timeout", "invalid_reply" -> fail(reason);
      case "cancelled", "max_iterations", "budget" -> {
        ObjectNode last = ofRun("RUN_FINISHED");
        last.putObject("outcome").put("type", "cancelled");
        usage(payload, last);
        putMetadata(last, without(payload, "usage"));
        out.accept(last);
      }
      default -> finish(payload, reason.equals("consent_pending") ? calls.requests() : List.of());
    }
  }

  private void fail(String reason) {
    ObjectNode last = Frames.of("RUN_ERROR");
    last.put("message", problem == null ? "The run failed." : problem.path("message").asString(""));
    out.accept(last.put("code", problem == null ? reason : problem.path("code").asString(reason)));
  }

  private void finish(JsonNode payload, List<JsonNode> requests) {
    ObjectNode last = ofRun("RUN_FINISHED");
    ObjectNode outcome = last.putObject("outcome");
    if (requests.isEmpty()) {
      outcome.put("type", "success");
      last.set("result", without(payload, "usage"));
    } else {
      ArrayNode interrupts = outcome.put("type", "interrupt").putArray("interrupts");
      requests.forEach(request -> interrupts.add(AgUiConsent.of(thread, request, schemas)));
    }
    usage(payload, last);
    out.accept(last);
  }

  private static void usage(JsonNode payload, ObjectNode last) {
    JsonNode usage = payload.path("usage");
    if (usage.isObject()) {
      last.putArray("usage")
          .addObject()
          .put("inputTokens", usage.path("input").asLong(0))
          .put("outputTokens", usage.path("output").asLong(0));
    }
  }
}
