package dev.switchboard.testing;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.testing.ResponsesCheck.Rejection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A server on 127.0.0.1 with OpenAI's Responses API, which replies by a script as events, and
/// refuses what the real one refuses.
///
/// Each reply begins with encrypted reasoning. A request is refused for unknown members, ids, items
/// in a wrong order, calls without results, reasoning that is not the server's or has lost what
/// followed it, and what [#withoutReasoning()], [#withWindow] and [#withIds()] state. Reasoning is
/// dropped without an error if anything before it, the tools or the format of the reply has
/// changed: [#dropped()]. A chat completion is refused with a reference to this API. Thread-safe.
///
/// ```java
/// try (StubResponses server = StubResponses.start()) {
///   server.says("Let me see.").and().calls("get_rate", "{}").says("1.2");
///   ChatModel model =
///       OpenAiModel.of("m", ModelOptions.builder().baseUrl(server.url()).api(RESPONSES).build());
///   ...
///   assertThat(server.dropped()).isEmpty();
/// }
/// ```
public final class StubResponses implements AutoCloseable {
  private static final String ENCRYPTED = "reasoning.encrypted_content";
  private static final int CHARACTERS_OF_A_TOKEN = 4;
  private static final int REASONING_TOKENS = 8;

  private final StubWebhook server = StubWebhook.start();
  // All guarded by this.
  private final List<List<ObjectNode>> script = new ArrayList<>();
  private final Map<Integer, Rejection> failures = new HashMap<>(); // by their place in the script
  private final List<Json> requests = new ArrayList<>();
  private final Map<String, Made> reasoning = new HashMap<>(); // by its encrypted content
  private final Set<String> types = new HashSet<>(); // of items in the script
  private final List<String> dropped = new ArrayList<>();
  private boolean joined;
  private boolean reasons = true;
  private boolean ids;
  private int window;
  private int number;
  private int replies;

  /// Reasoning that was sent.
  ///
  /// @param head what was declared then
  /// @param prefix the items before it
  private record Made(String model, String head, List<String> prefix) {}

  private StubResponses() {
    server.answer(this::answer);
  }

  /// A running server on a free port.
  public static StubResponses start() {
    return new StubResponses();
  }

  /// The base URL, `http://127.0.0.1:port/v1`.
  public String url() {
    return server.url("/v1");
  }

  /// Adds a reply with a message.
  public StubResponses says(String text) {
    ObjectNode message = Codec.object().put("type", "message").put("role", "assistant");
    ObjectNode part = message.putArray("content").addObject().put("type", "output_text");
    part.put("text", text).putArray("annotations");
    return outputs(Json.of(message));
  }

  /// Adds a reply with a call, whose id is `call_1`, `call_2` and so on.
  public synchronized StubResponses calls(String tool, String arguments) {
    number++;
    return outputs(
        Json.of(
            Codec.object()
                .put("type", "function_call")
                .put("call_id", "call_" + number)
                .put("name", tool)
                .put("arguments", arguments)));
  }

  /// Adds a reply with an item of any type; it gets an id and a status.
  public synchronized StubResponses outputs(Json item) {
    if (!joined || script.isEmpty()) {
      script.add(new ArrayList<>());
    }
    joined = false;
    ObjectNode output = (ObjectNode) item.tree().deepCopy();
    types.add(output.path("type").asString(""));
    script.getLast().add(output.put("status", "completed"));
    return this;
  }

  /// Adds a failure with that status.
  ///
  /// @param code such as `server_is_overloaded`
  public synchronized StubResponses fails(int status, String code, String message) {
    failures.put(script.size(), new Rejection(status, code, null, message));
    script.add(List.of());
    return this;
  }

  /// Continues the last reply: `says("Let me see.").and().calls("check", "{}")`.
  public synchronized StubResponses and() {
    joined = true;
    return this;
  }

  /// Makes its model one without reasoning, which refuses to encrypt it.
  public synchronized StubResponses withoutReasoning() {
    reasons = false;
    return this;
  }

  /// Accepts reasoning only with its id, as the API is documented.
  public synchronized StubResponses withIds() {
    ids = true;
    return this;
  }

  /// Limits the input to so many tokens, of four characters each.
  public synchronized StubResponses withWindow(int tokens) {
    window = tokens;
    return this;
  }

  /// Forgets all reasoning so far, so that it is refused.
  public synchronized void forget() {
    reasoning.clear();
  }

  /// The requests to this API, in order, refused ones too.
  public synchronized List<Json> requests() {
    return List.copyOf(requests);
  }

  /// Why reasoning in requests was not used, such as `prefix_mismatch`, once for each item.
  public synchronized List<String> dropped() {
    return List.copyOf(dropped);
  }

  /// Checks that all replies were used.
  ///
  /// @throws AssertionError when they were not
  public synchronized void assertDone() {
    if (replies < script.size()) {
      throw new AssertionError(
          "the script has %d replies, and %d were asked for".formatted(script.size(), replies));
    }
  }

  /// Stops the server and closes every connection.
  @Override
  public void close() {
    server.close();
  }

  private synchronized StubAnswer answer(StubRequest request) {
    if (request.path().endsWith("/chat/completions")) {
      return refusal(
          Rejection.of(
              "reasoning_effort",
              "Function tools with reasoning_effort are not supported for this model in"
                  + " /v1/chat/completions. To use function tools, use /v1/responses or set"
                  + " reasoning_effort to 'none'."));
    }
    if (!request.path().endsWith("/responses")) {
      return refusal(new Rejection(404, null, null, "Invalid URL (POST " + request.path() + ")"));
    }
    requests.add(request.json());
    JsonNode body = request.json().tree();
    ResponsesCheck check = new ResponsesCheck(body, ids, types::contains);
    Rejection no = check.check(reasoning::containsKey);
    no = no == null ? ofModel(body) : no;
    if (no != null) {
      return refusal(no);
    }
    if (replies == script.size()) {
      throw new AssertionError("the script has only " + replies + " replies");
    }
    Rejection failure = failures.get(replies);
    if (failure != null) {
      replies++;
      return refusal(failure);
    }
    ArrayNode transformations = transformations(body, check);
    ObjectNode response = response(body, transformations, outputs(body, check));
    return body.path("stream").asBoolean(false)
        ? new ResponseEvents(response).answer()
        : StubAnswer.of(200, response.toString());
  }

  private static StubAnswer refusal(Rejection no) {
    ObjectNode error = Codec.object().put("message", no.message());
    error.put("type", "invalid_request_error").put("param", no.param()).put("code", no.code());
    return StubAnswer.of(no.status(), Codec.object().set("error", error).toString());
  }

  private @Nullable Rejection ofModel(JsonNode body) {
    if (!reasons && encrypts(body)) {
      return Rejection.of("include", "Encrypted content is not supported with this model.");
    }
    return window > 0 && tokens(body.path("input")) > window
        ? new Rejection(
            400,
            "context_length_exceeded",
            "input",
            "Your input exceeds the context window of this model. Please adjust your input and try"
                + " again.")
        : null;
  }

  private static boolean encrypts(JsonNode body) {
    return body.path("include").valueStream().anyMatch(one -> one.asString("").equals(ENCRYPTED));
  }

  private static int tokens(JsonNode json) {
    return json.toString().length() / CHARACTERS_OF_A_TOKEN;
  }

  private ArrayNode transformations(JsonNode body, ResponsesCheck check) {
    ArrayNode removed = Codec.object().putArray("removed");
    List<String> prefix = check.prefix();
    for (int i = 0; i < prefix.size(); i++) {
      String content = body.path("input").get(i).path("encrypted_content").asString("");
      Made made = reasoning.get(content);
      String reason = null;
      if (made != null && !made.model.equals(body.path("model").asString(""))) {
        reason = "model_mismatch";
      } else if (made != null
          && !(made.head.equals(check.head()) && made.prefix.equals(prefix.subList(0, i)))) {
        reason = "prefix_mismatch";
      }
      if (reason != null) {
        dropped.add(reason);
        ObjectNode one = removed.addObject().put("id", "rs_" + content).put("action", "removed");
        one.put("reason", reason).put("type", "reasoning");
      }
    }
    return removed;
  }

  /// The items of the next reply.
  private List<ObjectNode> outputs(JsonNode body, ResponsesCheck check) {
    List<ObjectNode> outputs = new ArrayList<>();
    if (reasons) {
      String content = "enc" + (replies + 1);
      ObjectNode item = Codec.object().put("type", "reasoning").put("id", "rs_" + content);
      item.putArray("summary");
      item.put("encrypted_content", encrypts(body) ? content : null);
      outputs.add(item);
      Made made = new Made(body.path("model").asString(""), check.head(), check.prefix());
      reasoning.put(content, made);
    }
    for (ObjectNode item : script.get(replies)) {
      String id = item.path("type").asString("") + "_" + replies + "_" + outputs.size();
      outputs.add(item.deepCopy().put("id", id));
    }
    replies++;
    return outputs;
  }

  private ObjectNode response(JsonNode body, ArrayNode removed, List<ObjectNode> outputs) {
    ObjectNode response = Codec.object().put("id", "resp_" + replies).put("object", "response");
    response.put("created_at", 1).put("status", "completed");
    response.putNull("error").putNull("incomplete_details");
    response.set("model", body.path("model"));
    response.set("input_transformations", removed);
    outputs.forEach(response.putArray("output")::add);
    int read = tokens(body.path("input"));
    int thought = reasons ? REASONING_TOKENS : 0;
    int written = thought + tokens(response.path("output"));
    ObjectNode usage = response.putObject("usage").put("input_tokens", read);
    usage.putObject("input_tokens_details").put("cached_tokens", 0).put("cache_write_tokens", 0);
    usage.put("output_tokens", written).put("total_tokens", read + written);
    usage.putObject("output_tokens_details").put("reasoning_tokens", thought);
    return response;
  }
}
