package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import tools.jackson.databind.node.ObjectNode;

/// The record of one call: what its recorder gets, without the keys that the caller has pressed.
///
/// For the actor's thread.
final class CallRecord {
  private final CallRecorder recorder;
  private final DtmfRedactor redactor;
  private boolean ended;

  CallRecord(CallRecorder recorder, DtmfRedactor redactor) {
    this.recorder = recorder;
    this.redactor = redactor;
  }

  /// Records an event.
  void note(String type, ObjectNode details) {
    recorder.happened(type, Json.of(redactor.redacted(details)));
  }

  /// Records a line of the transcript.
  void line(String role, String text) {
    recorder.line(role, redactor.redacted(text));
  }

  /// Records that the caller has pressed keys.
  void pressed(String keys) {
    recorder.line("caller", redactor.line(keys));
  }

  /// Records a tool's call.
  void called(ToolCall call) {
    ObjectNode details = Codec.object().put("id", call.id()).put("tool", call.name());
    Json arguments = call.arguments();
    if (arguments.isReadableObject()) {
      details.set("arguments", arguments.tree());
    } else {
      details.put("arguments", arguments.text());
    }
    note("tool_call", details);
    line("tool", call.name());
  }

  /// Records the result of a tool's call, also of one that ends after the phone call.
  void result(ToolCall call, ToolResult result) {
    ObjectNode details =
        Codec.object()
            .put("id", call.id())
            .put("tool", call.name())
            .put("success", result.success())
            .put("result", String.valueOf(result.text()));
    if (ended) {
      recorder.late(Json.of(redactor.redacted(details)));
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
