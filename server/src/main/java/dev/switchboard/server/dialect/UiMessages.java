package dev.switchboard.server.dialect;

import dev.switchboard.json.Codec;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Encodes one reply for a client of the AI SDK, in the UI message stream v1. The first chunk is
/// `start`, the last `finish`.
///
/// Ids of texts are `text_` and the number of their first event. Calls that are neither in this
/// stream nor in an event that was [#seen] do not belong to this message, and are omitted.
public final class UiMessages implements Encoder {
  private final String conversation;
  private final String messageId;
  private final Frames frames;
  private final Consumer<ObjectNode> out;
  private final CallTracker calls = new CallTracker();
  private final Ending ending = new Ending();
  private final Set<String> step = new HashSet<>(); // the calls of the client's latest step
  private final Set<String> asking = new HashSet<>(); // the requests in this stream
  private boolean stepOpen;
  private @Nullable String text; // the open one
  private String problem = "The reply failed."; // the last event that reported one
  private boolean muted; // while the client knows the events
  private boolean finished;

  /// @param messageId the assistant message's: [#reply] of the turn's input; unchanged if the
  ///   stream continues a message after an approval
  public UiMessages(String conversation, String messageId) {
    this(conversation, messageId, new Frames(), null);
  }

  private UiMessages(
      String conversation, String messageId, Frames frames, @Nullable Consumer<ObjectNode> out) {
    this.conversation = conversation;
    this.messageId = messageId;
    this.frames = frames;
    this.out = out == null ? frames : out;
  }

  /// An encoder that passes its chunks to that consumer instead of writing frames.
  static UiMessages into(Consumer<ObjectNode> out, String conversation) {
    return new UiMessages(conversation, "", new Frames(), out);
  }

  /// The id of the assistant's message that answers the user's message of that id.
  public static String reply(String input) {
    return "reply_" + input;
  }

  @Override
  public void seen(Event.Logged event) {
    muted = true;
    ObjectNode frame = Frames.read(event);
    if (frame.path("type").asString("").equals("done")) {
      rest();
    } else {
      translate(event.number(), frame);
    }
    muted = false;
  }

  @Override
  public String begin() {
    emit(Frames.of("start").put("messageId", messageId));
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
    return Frames.DONE;
  }

  private void translate(long number, ObjectNode event) {
    JsonNode payload = event.path("payload");
    switch (event.path("type").asString("")) {
      case "content" -> words(number, event.path("content").asString(""));
      case "tool_call" -> called(event);
      case "tool_result" -> settled(payload.path("callId").asString(""), payload);
      case "loader-hint" -> hint(event);
      case "agent" -> happened(event.path("event").asString(""), payload);
      case "error", "budget_exhausted" -> {
        problem(event);
        words(number, Ending.sentence(event));
      }
      case "done" -> done(payload.path("stopReason").asString(""));
      default -> {}
    }
    calls.note(event);
    ending.note(event);
  }

  private void words(long number, String delta) {
    if (delta.isEmpty()) {
      return;
    }
    openStep();
    if (text == null) {
      text = "text_" + number;
      emit(Frames.of("text-start").put("id", text));
    }
    emit(Frames.of("text-delta").put("id", text).put("delta", delta));
  }

  private void openStep() {
    if (calls.roundIsOver()) {
      rest();
    }
    if (!stepOpen) {
      stepOpen = true;
      step.clear();
      emit(Frames.of("start-step"));
    }
  }

  private void emit(ObjectNode chunk) {
    if (!muted) {
      out.accept(chunk);
    }
  }

  private void endText() {
    if (text != null) {
      emit(Frames.of("text-end").put("id", text));
      text = null;
    }
  }

  /// Ends the open text, before another round or the end.
  void rest() {
    endText();
    if (stepOpen) {
      stepOpen = false;
      emit(Frames.of("finish-step"));
    }
  }

  private void called(JsonNode event) {
    JsonNode call = event.path("payload");
    if (calls.call(call.path("id").asString("")) == null) {
      endText();
      openStep();
      step.add(call.path("id").asString(""));
      emit(input(event, CallTracker.arguments(call)));
    }
  }

  private static ObjectNode input(JsonNode event, JsonNode arguments) {
    JsonNode call = event.path("payload");
    ObjectNode input = Frames.of("tool-input-available");
    input.put("toolCallId", call.path("id").asString(""));
    input.put("toolName", call.path("name").asString(""));
    input.set("input", arguments);
    // Without providerExecuted the client would run the call itself.
    input.put("dynamic", true).put("providerExecuted", true);
    ObjectNode metadata = Codec.object();
    AgUi.copy(event, "mode", metadata);
    AgUi.copy(event, "auto", metadata);
    if (!metadata.isEmpty()) {
      input.putObject("providerMetadata").set("switchboard", metadata);
    }
    return input;
  }

  private void settled(String id, JsonNode result) {
    if (calls.call(id) == null || calls.isSettled(id)) {
      return;
    }
    endText();
    String code = result.path("code").asString("");
    if (code.equals(ResultCode.CONSENT_DENIED.word())) {
      emit(ofCall("tool-output-denied", id));
    } else if (!result.path("success").asBoolean(false)) {
      emit(ofCall("tool-output-error", id).put("errorText", CallTracker.text(result)));
    } else {
      ObjectNode output = ofCall("tool-output-available", id);
      if (result.hasNonNull("data")) {
        output.set("output", result.get("data"));
      } else {
        output.put("output", CallTracker.text(result));
      }
      emit(output);
    }
  }

  private static ObjectNode ofCall(String type, String id) {
    return Frames.of(type).put("toolCallId", id);
  }

  private void hint(JsonNode event) {
    String call = event.path("taskId").asString("");
    if (!calls.isSettled(call)) {
      ObjectNode hint = Frames.of("data-progress").put("id", call);
      hint.putObject("data").put("toolCallId", call).put("text", event.path("hint").asString(""));
      emit(hint);
    }
  }

  private void happened(String what, JsonNode payload) {
    switch (what) {
      case "user", "run" -> {
        // The client has sent or started it.
        return;
      }
      case "reply_restarted" -> endText();
      case "consent_request" -> {
        if (asked(payload)) {
          return;
        }
      }
      case "consent_answer" -> edited(payload);
      default -> {}
    }
    ObjectNode data = AgUi.without(payload);
    if (what.startsWith("consent_")) {
      data.put("id", CallTracker.qualified(conversation, payload));
    }
    ObjectNode chunk = Frames.of("data-" + what);
    chunk.set("data", data);
    emit(chunk.put("transient", true));
  }

  /// Whether the request is for a call of this message, which then waits; a handler's own request
  /// has no call that the client knows.
  private boolean asked(JsonNode request) {
    String call = request.path("call").path("id").asString("");
    if (calls.call(call) == null || calls.isSettled(call)) {
      return false;
    }
    ObjectNode asked = Frames.of("tool-approval-request");
    asked.put("approvalId", CallTracker.qualified(conversation, request)).put("toolCallId", call);
    ObjectNode descriptor = asked.putObject("approvalDescriptor");
    for (String member : new String[] {"mode", "scope", "reason", "expiresAt"}) {
      AgUi.copy(request, member, descriptor);
    }
    emit(asked);
    if (!muted) {
      asking.add(request.path("id").asString(""));
    }
    return true;
  }

  /// Sends the call again, with the arguments of the answer; not after another step has begun, when
  /// the client would make a second part of it.
  private void edited(JsonNode answer) {
    String id = answer.path("id").asString("");
    JsonNode call = calls.call(id);
    if (call != null && step.contains(id) && answer.path("arguments").isObject()) {
      emit(input(call, answer.path("arguments")));
    }
  }

  private void problem(JsonNode event) {
    problem = event.path("message").asString(problem);
    ObjectNode chunk = Frames.of("data-" + event.path("type").asString());
    ObjectNode data = chunk.putObject("data").put("message", problem);
    AgUi.copy(event, "code", data);
    emit(chunk);
  }

  /// Sends the open requests of earlier streams again: the client considers them answered and would
  /// send its answers repeatedly.
  private void askAgain() {
    for (JsonNode request : calls.requests()) {
      if (!asking.contains(request.path("id").asString(""))) {
        boolean unused = asked(request);
      }
    }
  }

  private void done(String reason) {
    if (reason.equals("consent_pending")) {
      askAgain();
    }
    rest();
    finished = true;
    String finish =
        switch (reason) {
          case "consent_pending" -> "tool-calls";
          case "model_error", "model_timeout", "invalid_reply" -> "error";
          default -> {
            if (ending.isCut(reason)) {
              yield "length";
            }
            yield ending.isFiltered() ? "content-filter" : "stop";
          }
        };
    if (finish.equals("error")) {
      emit(Frames.of("error").put("errorText", problem));
    }
    if (reason.equals("cancelled")) {
      emit(Frames.of("abort").put("reason", reason));
    }
    ObjectNode last = Frames.of("finish").put("finishReason", finish);
    last.putObject("messageMetadata").put("stopReason", reason);
    emit(last);
  }
}
