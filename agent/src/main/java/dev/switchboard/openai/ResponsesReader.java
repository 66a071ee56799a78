package dev.switchboard.openai;

import static dev.switchboard.openai.ResponsesRequest.CALL;
import static dev.switchboard.openai.ResponsesRequest.MESSAGE;
import static dev.switchboard.openai.ResponsesRequest.REASONING;

import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.FinishReason;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.Failures;
import dev.switchboard.provider.ReplyPart;
import dev.switchboard.provider.ReplyReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts a response, or its events, to a reply.
///
/// An item counts as it is when it is done, since its encrypted reasoning is not complete before;
/// fragments of words are only shown.
final class ResponsesReader implements ReplyReader {
  private static final String FOREIGN = "without output";
  private static final String TURN_BOUNDARY = "turn_boundary"; // where reasoning ends as usual
  private static final int ANY = -1;
  private static final Set<String> WAITING =
      Set.of(
          "apply_patch_call",
          "computer_call",
          "custom_tool_call",
          "local_shell_call",
          "mcp_approval_request",
          "shell_call");

  private final Failures failures;
  private final ReplyStream stream;
  private final String by;
  private final boolean formatted;
  private final boolean fresh;
  private final SortedMap<Integer, JsonNode> items = new TreeMap<>(); // that are done, in order
  private final SortedMap<Integer, StringBuilder> words = new TreeMap<>(); // as they arrived
  private final Map<Long, Integer> seen = new HashMap<>(); // hashes of events by their numbers
  private boolean known; // whether an event was one of a response
  private boolean foreign; // whether there were events, but none was
  private boolean spoken; // whether words were shown
  private boolean complete; // whether the last event has arrived
  private FinishReason finish = FinishReason.OTHER;
  private ModelReply.Usage usage = ModelReply.Usage.NONE;

  /// @param by the name of the model whose items these are
  /// @param formatted whether the reply has a format, so that one of its messages is the text
  /// @param fresh whether the request had no items of earlier replies
  ResponsesReader(
      Failures failures, ReplyStream stream, String by, boolean formatted, boolean fresh) {
    this.failures = failures;
    this.stream = stream;
    this.by = by;
    this.formatted = formatted;
    this.fresh = fresh;
  }

  @Override
  public ModelReply whole(JsonNode answer) {
    if (!answer.path("output").isArray() && !answer.hasNonNull("error")) {
      throw failures.misplaced(FOREIGN);
    }
    switch (answer.path("status").asString("completed")) {
      case "completed" -> end(answer, FinishReason.STOP);
      case "incomplete" -> end(answer, cut(answer));
      default -> throw failed(answer);
    }
    return reply();
  }

  @Override
  public boolean event(String data) {
    JsonNode event = failures.json(data);
    String type = event.path("type").asString("");
    if (type.equals("error") || event.hasNonNull("error")) {
      throw failures.reported(event);
    }
    known |= type.startsWith("response.");
    foreign = !known;
    if (isRepeated(event, data)) {
      return false;
    }
    JsonNode response = event.path("response");
    switch (type) {
      case "response.output_text.delta", "response.refusal.delta" ->
          show(index(event), event.path("delta").asString(""));
      case "response.output_item.done" -> done(index(event), event.path("item"));
      case "response.completed" -> end(response, FinishReason.STOP);
      case "response.incomplete" -> end(response, cut(response));
      case "response.failed" -> throw failed(response);
      // A sign of life.
      default -> {}
    }
    return complete;
  }

  @Override
  public ModelReply end() {
    if (foreign) {
      throw failures.misplaced(FOREIGN);
    }
    if (!complete) {
      throw failures.broken("broke off before its reply was complete.");
    }
    ModelReply reply = reply();
    if (formatted) {
      stream.text(reply.text());
    } else {
      items.forEach(this::showRest);
    }
    return reply;
  }

  /// Whether an event has arrived before. Some servers number all events alike.
  private boolean isRepeated(JsonNode event, String data) {
    JsonNode number = event.path("sequence_number");
    int hash = data.hashCode();
    Integer before = number.isIntegralNumber() ? seen.put(number.asLong(0), hash) : null;
    return before != null && before == hash && seen.size() > 1;
  }

  private int index(JsonNode event) {
    int index = event.path("output_index").asInt(-1);
    return index >= 0 ? index : items.isEmpty() ? 0 : items.lastKey() + 1;
  }

  private void done(int index, JsonNode item) {
    if (!item.isObject()) {
      throw failures.broken("sent an item that is not an object.");
    }
    int place = isAnother(items.get(index), item) ? items.lastKey() + 1 : index;
    StringBuilder shown = place == index ? null : words.remove(index);
    if (shown != null) {
      words.put(place, shown);
    }
    items.put(place, item);
    showRest(place, item);
  }

  /// Whether an item is not the one that arrived at its place before. Some servers give one place
  /// to all.
  private static boolean isAnother(@Nullable JsonNode before, JsonNode item) {
    return before != null
        && (differ(item.path("id").asString(""), before.path("id").asString(""))
            || differ(callId(item), callId(before)));
  }

  private static boolean differ(String id, String other) {
    return !id.isEmpty() && !other.isEmpty() && !id.equals(other);
  }

  /// Shows words; those of another message after a blank line. Which message is the text of a reply
  /// with a format is not known before its end.
  private void show(int index, String more) {
    if (more.isEmpty()) {
      return;
    }
    StringBuilder before = words.computeIfAbsent(index, any -> new StringBuilder());
    boolean begins = before.isEmpty();
    before.append(more);
    if (!formatted) {
      stream.text(begins && spoken ? ReplyPart.BETWEEN + more : more);
      spoken = true;
    }
  }

  /// Shows the words of a message that have not arrived as fragments.
  private void showRest(int index, JsonNode item) {
    String whole = isMessage(item) ? ResponsesRequest.text(item) : "";
    StringBuilder before = words.getOrDefault(index, new StringBuilder());
    if (whole.length() > before.length() && whole.startsWith(before.toString())) {
      show(index, whole.substring(before.length()));
    }
  }

  private static boolean isMessage(JsonNode item) {
    return item.path("type").asString("").equals(MESSAGE);
  }

  private RuntimeException failed(JsonNode response) {
    return response.hasNonNull("error")
        ? failures.reported(response)
        : failures.broken("broke off without a reason.");
  }

  private static FinishReason cut(JsonNode response) {
    return switch (response.path("incomplete_details").path("reason").asString("")) {
      case "max_output_tokens" -> FinishReason.LENGTH;
      case "content_filter" -> FinishReason.FILTERED;
      default -> FinishReason.OTHER;
    };
  }

  private void end(JsonNode response, FinishReason reason) {
    complete = true;
    finish = reason;
    addUnseen(response.path("output"));
    JsonNode tokens = response.path("usage");
    JsonNode read = tokens.path("input_tokens_details");
    usage =
        new ModelReply.Usage(
            ReplyReader.tokens(tokens, "input_tokens"),
            ReplyReader.tokens(tokens, "output_tokens"),
            ReplyReader.tokens(read, "cached_tokens"),
            ReplyReader.tokens(read, "cache_write_tokens"),
            ReplyReader.tokens(tokens.path("output_tokens_details"), "reasoning_tokens"));
    for (String dropped : dropped(response.path("input_transformations"))) {
      stream.dropped(dropped);
    }
  }

  /// Adds the items of the end that have not arrived before, and words that are in none.
  private void addUnseen(JsonNode output) {
    Set<String> ids = new HashSet<>();
    Set<String> calls = new HashSet<>();
    Set<String> texts = new HashSet<>();
    items
        .values()
        .forEach(item -> {
          ids.add(item.path("id").asString(""));
          calls.add(callId(item));
          texts.add(isMessage(item) ? ResponsesRequest.text(item) : "");
        });
    for (int i = 0; i < output.size(); i++) {
      JsonNode item = output.get(i);
      String id = item.path("id").asString("");
      String call = callId(item);
      boolean known =
          !id.isEmpty() && ids.contains(id)
              || !call.isEmpty() && calls.contains(call)
              || id.isEmpty() && isMessage(item) && texts.contains(ResponsesRequest.text(item));
      if (item.isObject() && !known) {
        boolean taken = !call.isEmpty() && items.containsKey(i);
        items.putIfAbsent(taken ? items.lastKey() + 1 : i, item);
      }
    }
    words.forEach((index, text) -> {
      ObjectNode message = Codec.object().put("type", MESSAGE);
      message.putArray("content").addObject().put("text", text.toString());
      items.putIfAbsent(index, message);
    });
  }

  /// By which a call is known also where its items have no ids, empty for other items.
  private static String callId(JsonNode item) {
    return item.path("type").asString("").equals(CALL) ? item.path("call_id").asString("") : "";
  }

  /// Why the provider did not use reasoning of earlier replies, each reason once.
  private static Set<String> dropped(JsonNode transformations) {
    return transformations
        .valueStream()
        .map(one -> one.path("reason").asString(""))
        .filter(reason -> !reason.equals(TURN_BOUNDARY))
        .map(reason -> reason.matches("[a-z_]{1,40}") ? reason : "other")
        .collect(Collectors.toSet());
  }

  private ModelReply reply() {
    int answer = formatted ? answer() : ANY;
    List<ReplyPart> parts = new ArrayList<>();
    items.forEach((index, item) -> {
      ReplyPart part = part(item, answer == ANY || answer == index);
      if (part != null) {
        parts.add(part);
      }
    });
    boolean refused =
        items.values().stream()
            .flatMap(item -> item.path("content").valueStream())
            .anyMatch(content -> content.hasNonNull("refusal"));
    // Reasoning without what follows from it is refused later.
    while (!parts.isEmpty()
        && parts.getLast() instanceof ReplyPart.Item(JsonNode last)
        && last.path("type").asString("").equals(REASONING)) {
      parts.removeLast();
    }
    return reply(parts, refused);
  }

  private ModelReply reply(List<ReplyPart> parts, boolean refused) {
    List<String> texts = new ArrayList<>();
    List<RequestedCall> calls = new ArrayList<>();
    for (ReplyPart part : parts) {
      switch (part) {
        case ReplyPart.Words(String text, var phase) -> texts.add(text);
        case ReplyPart.Requested(RequestedCall call) -> calls.add(call);
        case ReplyPart.Item item -> {}
      }
    }
    FinishReason reason = refused ? FinishReason.FILTERED : finish;
    if (reason == FinishReason.STOP && !calls.isEmpty()) {
      reason = FinishReason.TOOL_CALLS;
    }
    ModelReply reply = new ModelReply(String.join(ReplyPart.BETWEEN, texts), calls, reason, usage);
    return ReplyPart.withItems(reply, parts, by, fresh);
  }

  /// The place of the message that is the text of a reply with a format: the final answer, or else
  /// the last one.
  private int answer() {
    int last = ANY;
    for (Map.Entry<Integer, JsonNode> entry : items.entrySet()) {
      JsonNode item = entry.getValue();
      if (isMessage(item) && !ResponsesRequest.text(item).isEmpty()) {
        last = entry.getKey();
        if ("final_answer".equals(ResponsesRequest.phase(item))) {
          return last;
        }
      }
    }
    return last;
  }

  /// The part that an item is, null for a call that is not complete, which must never run.
  ///
  /// @param shown whether it is part of the text if it is a message
  private @Nullable ReplyPart part(JsonNode item, boolean shown) {
    String type = item.path("type").asString("");
    if (WAITING.contains(type)) {
      throw failures.broken("asked for a call that is not of a function.");
    }
    if (type.equals(CALL)) {
      String status = item.path("status").asString("completed");
      return status.equals("completed") ? new ReplyPart.Requested(call(item)) : null;
    }
    String text = type.equals(MESSAGE) ? ResponsesRequest.text(item) : "";
    return text.isEmpty() || !shown
        ? new ReplyPart.Item(item)
        : new ReplyPart.Words(text, ResponsesRequest.phase(item));
  }

  private RequestedCall call(JsonNode item) {
    String name = item.path("name").asString("");
    if (name.isEmpty()) {
      throw failures.broken("asked for a tool without a name.");
    }
    String arguments = item.path("arguments").asString("");
    return RequestedCall.of(item.path("call_id").asString(""), name, arguments);
  }
}
