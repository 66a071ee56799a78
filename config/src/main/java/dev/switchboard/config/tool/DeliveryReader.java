package dev.switchboard.config.tool;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions.Delivery;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolResult;
import tools.jackson.databind.JsonNode;

/// Reads a tool's delivery: the keys `delivery` and `probe` of its table.
final class DeliveryReader {
  private DeliveryReader() {}

  /// Applies the table.
  static void apply(ToolKeys tool, Tool.DynamicBuilder builder) {
    String probe = tool.probe();
    switch (tool.delivery()) {
      case null -> {}
      case AT_LEAST_ONCE -> builder.atLeastOnce();
      case AT_MOST_ONCE -> builder.atMostOnce();
      case RECONCILE -> builder.reconcile(new ProbeTool(probe == null ? "" : probe));
    }
  }

  /// Reports keys that exclude each other.
  static void check(ToolKeys tool) {
    boolean reconciles = tool.delivery() == ToolKeys.Delivery.RECONCILE;
    if (reconciles && !tool.at().has("probe")) {
      tool.at()
          .member("delivery")
          .bad(
              "is \"reconcile\", which needs 'probe', a tool that finds out what became of a call");
    } else if (!reconciles && tool.at().has("probe")) {
      tool.at().member("probe").bad("is for delivery = \"reconcile\"");
    } else if (reconciles && String.valueOf(tool.probe()).equals(tool.name())) {
      tool.at().member("probe").bad("names the tool itself");
    }
  }

  /// A tool of the agent as a probe. It is called with the idempotency key of a call, and answers
  /// `{"done": true, "result": ..}` or `{"done": false}`.
  private record ProbeTool(String tool) implements Delivery.Probe {
    @Override
    public Delivery.Found find(ToolHandler.Arguments arguments, ToolContext context) {
      Json key = Json.of(Codec.object().put("key", context.idempotencyKey()));
      ToolResult answer = context.tools().call(tool, key);
      Json data = answer.data();
      if (!answer.success() || data == null) {
        return Delivery.Found.UNKNOWN;
      }
      JsonNode done = data.tree().path("done");
      if (!done.isBoolean()) {
        return Delivery.Found.UNKNOWN;
      }
      JsonNode result = data.tree().get("result");
      return done.booleanValue()
          ? Delivery.Found.done(result == null ? data : Json.of(result))
          : Delivery.Found.NOT_DONE;
    }
  }
}
