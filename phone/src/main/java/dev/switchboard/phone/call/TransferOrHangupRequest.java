package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolResult;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The model's request for a transfer or the end of the call, made by a call of a host's tool.
///
/// @param number to transfer to, null for the end of the call
/// @param reason of the end, for the record; null for a transfer
/// @param result of the tool's call
record TransferOrHangupRequest(
    @Nullable String number, @Nullable String reason, CompletableFuture<ToolResult> result) {
  boolean isEnd() {
    return number == null;
  }

  /// Completes the tool's call: the request is rejected.
  void reject(String error, @Nullable String why) {
    result.complete(rejected("rejected", error, why));
  }

  /// Completes the tool's call: the request is not executed after all.
  void fail(String status, String error) {
    result.complete(rejected(status, error, null));
  }

  /// The result of a request that is not executed.
  static ToolResult rejected(String status, String error, @Nullable String reason) {
    ObjectNode text = Codec.object().put("success", false).put("needsFollowup", true);
    text.put("status", status);
    if (reason != null) {
      text.put("reason", reason);
    }
    text.put("error", error);
    return ToolResult.builder(false)
        .needsFollowup(true)
        .error(error)
        .text(Json.of(text).text())
        .build();
  }
}
