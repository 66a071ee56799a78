package dev.switchboard.phone.call;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The host's tools of a call: `transfer_call` and `end_call`.
///
/// @param leave receives the model's requests
record SystemTools(Transfer transfer, Consumer<TransferOrHangupRequest> leave) {
  static final String TRANSFER = "transfer_call";
  static final String END = "end_call";

  private static final String COMPLETE = "conversation_complete";
  private static final int MOST_REASON = 500; // characters
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /// The tools of these names.
  List<Tool> of(List<String> names) {
    List<Tool> tools = new ArrayList<>();
    if (names.contains(TRANSFER) && transfer.offersAny()) {
      tools.add(transferCall());
    }
    if (names.contains(END)) {
      tools.add(endCall());
    }
    return tools;
  }

  private Tool transferCall() {
    return tool(TRANSFER, Json.of(transferParameters()))
        .description(
            "Transfers the caller to another phone number"
                + (transfer.takesNumbers() ? " (in E.164 format). " : ". ")
                + "Say goodbye first.")
        .handler((arguments, context) -> transferred(arguments.tree()));
  }

  private ObjectNode transferParameters() {
    ObjectNode schema = Codec.object().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    boolean named = !transfer.to().isEmpty();
    if (named) {
      ObjectNode destination = properties.putObject("destination").put("type", "string");
      new TreeSet<>(transfer.to().keySet()).forEach(destination.putArray("enum")::add);
    }
    if (transfer.takesNumbers()) {
      properties.putObject("number").put("type", "string");
    }
    if (!named) {
      schema.putArray("required").add("number");
    } else if (!transfer.takesNumbers()) {
      schema.putArray("required").add("destination");
    }
    return schema;
  }

  private Tool endCall() {
    String schema = "{\"type\":\"object\",\"properties\":{\"reason\":{\"type\":\"string\"}}}";
    return tool(END, Json.text(schema))
        .description("Ends the call. Say goodbye first.")
        .handler((arguments, context) -> request(null, reason(arguments.tree())));
  }

  private static String reason(JsonNode arguments) {
    String stated = arguments.path("reason").asString("").strip();
    return stated.isEmpty()
        ? COMPLETE
        : stated.substring(0, Math.min(stated.length(), MOST_REASON));
  }

  private static Tool.DynamicBuilder tool(String name, Json parameters) {
    return Tool.dynamic(name, parameters)
        .ofHost()
        .mode(ToolMode.EXTERNAL)
        .parallel(false)
        .timeout(DEADLINE)
        .deadline(DEADLINE)
        .retry(RetryPolicy.NONE);
  }

  private ToolResult transferred(JsonNode arguments) throws Exception {
    String destination = arguments.path("destination").asString(null);
    String named = destination == null ? null : transfer.to().get(destination);
    String chosen = named == null ? arguments.path("number").asString("") : named;
    if (!PhoneNumber.is(chosen)) {
      return TransferOrHangupRequest.rejected("rejected", "Invalid phone number format", null);
    }
    if (named == null && !isAllowed(chosen)) {
      return TransferOrHangupRequest.rejected(
          "rejected", "Transfer destination not allowed by policy", null);
    }
    return request(chosen, null);
  }

  private boolean isAllowed(String number) {
    return transfer.takesNumbers() && new DialPolicy(transfer).allows(number);
  }

  /// The result in the form of these tools: a refusal by the runtime also counts as rejected.
  static ToolResult withStatus(ToolResult result) {
    String text = result.text();
    if (result.success() || text == null) {
      return result;
    }
    try {
      if (Json.text(text).tree() instanceof ObjectNode refusal && !refusal.has("status")) {
        ObjectNode stated = refusal.deepCopy().put("status", "rejected");
        return result.toBuilder().text(Json.of(stated).text()).build();
      }
    } catch (JsonException e) {
      // A text stays unchanged.
    }
    return result;
  }

  private ToolResult request(@Nullable String to, @Nullable String reason) throws Exception {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    leave.accept(new TransferOrHangupRequest(to, reason, result));
    return result.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
  }
}
