package dev.switchboard.server.dialect;

import dev.switchboard.json.Codec;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Encodes one reply for a client of OpenAI's chat completions: only its text, as a stream of
/// chunks, or, without streaming, as one completion, which [#end()] returns.
public final class ChatCompletions implements Encoder {
  private final String conversation;
  private final String id;
  private final long created;
  private final ChatInput input;
  private final Frames frames = new Frames();
  private final CallTracker calls = new CallTracker();
  private final Ending ending = new Ending();
  private final List<Words> said = new ArrayList<>();
  private boolean parted; // whether the next text is a new paragraph
  private @Nullable JsonNode problem; // the last event that reported one
  private @Nullable ObjectNode error; // the end of a reply that failed
  private String finish = "stop";
  private String reason = ""; // why the turn has ended
  private @Nullable ObjectNode usage;
  private boolean finished;

  // The reasons of a turn without a reply.
  private static final Set<String> FAILED = Set.of("model_error", "model_timeout", "invalid_reply");

  private record Words(long number, String text) {}

  /// @param conversation its id, the prefix of the ids of requests for consent
  /// @param id of the completion, such as `chatcmpl-` and the run's
  public ChatCompletions(String conversation, String id, Instant created, ChatInput input) {
    this.conversation = conversation;
    this.id = id;
    this.created = created.getEpochSecond();
    this.input = input;
  }

  @Override
  public void seen(Event.Logged event) {
    ObjectNode frame = Frames.read(event);
    calls.note(frame);
    ending.note(frame);
  }

  @Override
  public String begin() {
    return chunk(Codec.object().put("role", "assistant").put("content", ""), null);
  }

  @Override
  public String encode(Event.Logged event) {
    return finished ? "" : translate(event.number(), Frames.read(event));
  }

  @Override
  public String end() {
    if (!input.stream()) {
      return Frames.text(error == null ? completion() : error);
    }
    return error == null ? Frames.DONE : "";
  }

  @Override
  public boolean isResumable() {
    return false;
  }

  @Override
  public boolean breaksOff() {
    return error != null;
  }

  /// The error of a reply whose model failed; null for none.
  public @Nullable String error() {
    return error == null ? null : Frames.text(error);
  }

  /// Whether text was encoded.
  public boolean hasText() {
    return !said.isEmpty();
  }

  /// The status of a response whose model failed before any of it was sent.
  public int status() {
    String cause = problem == null ? "" : problem.path("cause").asString("");
    return switch (reason.equals("model_timeout") ? "timeout" : cause) {
      case "rate_limited" -> 429;
      case "unavailable" -> 503;
      case "timeout" -> 504;
      default -> 502;
    };
  }

  private String translate(long number, ObjectNode event) {
    JsonNode payload = event.path("payload");
    String text =
        switch (event.path("type").asString("")) {
          case "content" -> words(number, event.path("content").asString(""));
          case "done" -> done(payload);
          case "tool_call", "tool_result" -> part();
          case "error", "budget_exhausted" -> {
            problem = event;
            yield words(number, Ending.sentence(event));
          }
          case "agent" ->
              event.path("event").asString("").equals("reply_restarted")
                  ? restarted(payload.path("from").asLong(Long.MAX_VALUE))
                  : "";
          default -> "";
        };
    calls.note(event);
    ending.note(event);
    return text;
  }

  private String part() {
    parted = !said.isEmpty();
    return "";
  }

  /// Streamed text cannot be withdrawn; other text is omitted.
  private String restarted(long from) {
    if (!input.stream()) {
      said.removeIf(words -> words.number >= from);
    }
    return part();
  }

  private String words(long number, String text) {
    if (text.isEmpty()) {
      return "";
    }
    String words = parted ? "\n\n" + text : text;
    parted = false;
    said.add(new Words(number, words));
    return chunk(Codec.object().put("content", words), null);
  }

  private String done(JsonNode payload) {
    reason = payload.path("stopReason").asString("");
    usage = usage(payload.path("usage"));
    String last = reason.equals("consent_pending") ? asking() : "";
    finished = true;
    if (FAILED.contains(reason)) {
      error = error(reason);
      frames.accept(error);
      String text = frames.take();
      return input.stream() ? text : "";
    }
    if (ending.isCut(reason)) {
      finish = "length";
    } else if (ending.isFiltered()) {
      finish = "content_filter";
    }
    last += chunk(Codec.object(), finish);
    if (input.stream() && input.wantsUsage()) {
      ObjectNode cost = head("chat.completion.chunk");
      cost.putArray("choices");
      cost.set("usage", usage);
      frames.accept(cost);
    }
    return last + frames.take();
  }

  private static ObjectNode usage(JsonNode cost) {
    long input = cost.path("input").asLong(0);
    long output = cost.path("output").asLong(0);
    ObjectNode usage = Codec.object().put("prompt_tokens", input);
    return usage.put("completion_tokens", output).put("total_tokens", input + output);
  }

  /// The text at the end of a reply that waits for a person.
  private String asking() {
    StringBuilder text = new StringBuilder();
    for (JsonNode request : calls.requests()) {
      JsonNode call = request.path("call");
      String sentence =
          "A person has to allow the call %s %s first. Approval: %s"
              .formatted(
                  call.path("name").asString(""),
                  Frames.text(CallTracker.arguments(call)),
                  CallTracker.qualified(conversation, request));
      text.append(part()).append(words(0, sentence));
    }
    return text.toString();
  }

  private ObjectNode error(String reason) {
    ObjectNode error = Codec.object();
    JsonNode last = problem == null ? Codec.object() : problem;
    error
        .putObject("error")
        .put("message", last.path("message").asString("The reply failed."))
        .put("type", "server_error")
        .put("code", last.path("code").asString(reason));
    return error;
  }

  private String chunk(ObjectNode delta, @Nullable String why) {
    if (!input.stream()) {
      return "";
    }
    ObjectNode chunk = head("chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    if (why != null) {
      choice.put("finish_reason", why);
    }
    frames.accept(chunk);
    return frames.take();
  }

  private ObjectNode head(String object) {
    ObjectNode head = Codec.object().put("id", id).put("object", object);
    return head.put("created", created).put("model", input.model());
  }

  private ObjectNode completion() {
    ObjectNode completion = head("chat.completion");
    ObjectNode choice = completion.putArray("choices").addObject().put("index", 0);
    StringBuilder text = new StringBuilder();
    said.forEach(words -> text.append(words.text));
    choice.putObject("message").put("role", "assistant").put("content", text.toString());
    choice.put("finish_reason", finish);
    if (usage != null) {
      completion.set("usage", usage);
    }
    return completion;
  }
}
