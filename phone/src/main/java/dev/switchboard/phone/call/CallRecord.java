package dev.switchboard.phone.call;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import tools.jackson.databind.node.ObjectNode;

/// The record of one call: what its recorder gets, without the keys that the caller has pressed.
///
/// For the actor's thread.
final class CallRecord {
  private final CallRecorder recorder;
  private final PressedKeys pressed;
  private boolean ended;

  CallRecord(CallRecorder recorder, PressedKeys pressed) {
    this.recorder = recorder;
    this.pressed = pressed;
  }

  /// Records an event.
  void note(String type, ObjectNode details) {
    recorder.happened(type, Json.of(pressed.hiddenIn(details)));
  }

  /// Records a line of the transcript.
  void line(String role, String text) {
    recorder.line(role, pressed.hiddenIn(text));
  }

  /// Records that the caller has pressed keys.
  void pressed(String keys) {
    recorder.line("caller", pressed.line(keys));
  }

  /// Records the result of a tool's call, also of one that ends after the phone call.
  void result(ObjectNode details) {
    if (ended) {
      recorder.late(Json.of(pressed.hiddenIn(details)));
    } else {
      note("tool_result", details);
    }
  }

  /// Records the end of the call.
  void ended(String reason, ModelReply.Usage usage) {
    ended = true;
    recorder.ended(reason, usage);
  }
}
