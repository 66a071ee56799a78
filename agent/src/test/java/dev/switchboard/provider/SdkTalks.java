package dev.switchboard.provider;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ToolDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Every kind of request that our clients send, each in a talk of two rounds: the second request
/// has the reply to the first one, with its items and the results of its calls.
final class SdkTalks {
  private static final String SCHEMA =
      """
      {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],
       "additionalProperties":false}\
      """;
  private static final ToolDefinition RATE = tool("get_rate", false);
  private static final ToolDefinition RAIN = tool("get_rain", true);
  private static final String KEY = "0123456789abcdef0123456789abcdef";

  private SdkTalks() {}

  /// A talk.
  ///
  /// @param options of the model, for one use
  private record Talk(String name, ModelRequest request, ModelOptions.Builder options) {}

  private static ToolDefinition tool(String name, boolean strict) {
    var tool = Tool.dynamic(name, SCHEMA).description(strict ? "" : "The rate of a city.");
    return (strict ? tool.strict() : tool).handler(arguments -> "1.2").definition();
  }

  /// The bodies of all requests of all talks.
  static List<SdkPrograms.Request> requests(Sdk sdk) {
    return talks(sdk).stream().flatMap(talk -> requests(sdk, talk)).toList();
  }

  private static Stream<SdkPrograms.Request> requests(Sdk sdk, Talk talk) {
    List<JsonNode> bodies;
    if (sdk == Sdk.RESPONSES) {
      try (StubResponses server = scripted()) {
        hold(sdk.model(server.url(), talk.options), talk.request);
        bodies = server.requests().stream().map(Json::tree).toList();
      }
    } else {
      try (StubWebhook server = StubWebhook.start().answer(ProviderPlace.sse(stream(sdk)))) {
        hold(sdk.model(server.url(), talk.options), talk.request);
        bodies = server.requests().stream().map(StubRequest::json).map(Json::tree).toList();
      }
    }
    return bodies.stream().map(body -> new SdkPrograms.Request(talk.name, sdk, body));
  }

  /// A server with the replies of a talk.
  static StubResponses scripted() {
    return StubResponses.start()
        .outputs(message("Let me see.", "commentary"))
        .and()
        .calls("get_rate", "{\"city\":\"Oslo\"}")
        .and()
        .calls("get_rain", "{\"city\":\"Bergen\"}")
        .outputs(message("1.2, and rain.", "final_answer"))
        .and()
        .says("Bye.");
  }

  private static Json message(String words, String phase) {
    return Json.text(
        """
        {"type":"message","role":"assistant","phase":"%s",
         "content":[{"type":"output_text","text":"%s","annotations":[]}]}\
        """
            .formatted(phase, words));
  }

  private static void hold(ChatModel model, ModelRequest request) {
    ModelReply reply = model.reply(request, ReplyStream.unheard());
    List<Message> messages = new ArrayList<>(request.messages());
    messages.add(new Message.Assistant(reply.text(), reply.calls(), reply.items()));
    for (int i = 0; i < reply.calls().size(); i++) {
      messages.add(
          new Message.Result(
              reply.calls().get(i).id(), reply.calls().get(i).name(), i == 0 ? "1.2" : "", i == 0));
    }
    messages.add(new Message.Notice("Be brief."));
    model.reply(request.withMessages(messages), ReplyStream.unheard());
  }

  /// A reply of that API with all that it may have; for chat completions with what every service
  /// has.
  static String stream(Sdk sdk) {
    try {
      return Files.readString(Places.servers().resolve("streams/" + sdk.reader() + ".txt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Talk> talks(Sdk sdk) {
    List<Talk> talks = new ArrayList<>();
    kinds().forEach((name, kind) -> talks.add(new Talk(name, kind, ModelOptions.builder())));
    ModelRequest all = kinds().get("all");
    variants(sdk).forEach((name, options) -> talks.add(new Talk(name, all, options)));
    return talks;
  }

  private static Map<String, ModelRequest> kinds() {
    List<Message> words =
        List.of(new Message.System("You are a clerk."), new Message.User("What is the rate?"));
    ModelRequest plain = ModelRequest.of(words.toArray(Message[]::new));
    List<Message> files = new ArrayList<>(words);
    files.add(new Message.User("Look:", files()));
    files.add(new Message.User("", files().getFirst()));
    List<ToolDefinition> both = List.of(RATE, RAIN);
    ModelRequest.ReplyFormat closed = new ModelRequest.ReplyFormat("rate", Json.text(SCHEMA), true);
    ModelRequest.ReplyFormat open = new ModelRequest.ReplyFormat("rate", Json.text(SCHEMA), false);
    ModelRequest offered = new ModelRequest(files, both, ModelRequest.ToolChoice.AUTO);
    ModelRequest fewer = offered.withTools(List.of(RAIN), ModelRequest.ToolChoice.AUTO);
    Map<String, ModelRequest> kinds = new LinkedHashMap<>();
    kinds.put("words", plain);
    kinds.put("no system", ModelRequest.of(words.getLast()));
    kinds.put("notice", ModelRequest.of(words.getLast(), new Message.Notice("Be brief.")));
    kinds.put("files", plain.withMessages(files));
    kinds.put("tools", offered);
    kinds.put("required", offered.withTools(both, ModelRequest.ToolChoice.REQUIRED));
    kinds.put("none", offered.withTools(List.of(), ModelRequest.ToolChoice.NONE));
    kinds.put("fewer", fewer);
    kinds.put("one", offered.withTools(List.of(RATE), ModelRequest.ToolChoice.REQUIRED));
    kinds.put("strict format", plain.withFormat(closed));
    kinds.put("format", plain.withFormat(open));
    kinds.put("all", fewer.withFormat(closed).declaring(both, KEY));
    return kinds;
  }

  private static List<Message.Attachment> files() {
    return List.of(
        Message.Attachment.of("image/gif", "GIF89a".getBytes(US_ASCII)),
        Message.Attachment.of("application/pdf", "%PDF-1".getBytes(US_ASCII)).named("a.pdf"),
        Message.Attachment.of("application/pdf", "%PDF-1".getBytes(US_ASCII)),
        Message.Attachment.of("text/plain", "Hi".getBytes(US_ASCII)).named("a.txt"));
  }

  private static Map<String, ModelOptions.Builder> variants(Sdk sdk) {
    Map<String, ModelOptions.Builder> variants = new LinkedHashMap<>();
    if (sdk != Sdk.ANTHROPIC) { // whose package has none any more: current models refuse it
      variants.put("temperature", ModelOptions.builder().temperature(0.5));
    }
    variants.put("max_tokens", ModelOptions.builder().maxTokens(9000));
    variants.put("no caching", ModelOptions.builder().caching(false));
    List<String> efforts =
        sdk == Sdk.ANTHROPIC
            ? List.of("none", "between_tools", "low", "medium", "high", "xhigh", "max", "2048")
            : List.of("none", "minimal", "low", "medium", "high", "xhigh", "max");
    efforts.forEach(
        effort -> variants.put("reasoning " + effort, ModelOptions.builder().reasoning(effort)));
    ModelOptions.Builder more = ModelOptions.builder().more(Json.text(more(sdk)));
    variants.put("options", sdk == Sdk.ANTHROPIC ? more : more.reasoning("low"));
    return variants;
  }

  private static String more(Sdk sdk) {
    return switch (sdk) {
      case RESPONSES ->
          """
          {"reasoning":{"summary":"auto"},"parallel_tool_calls":false,"metadata":{"a":"b"},
           "text":{"verbosity":"low"},"service_tier":"auto","safety_identifier":"u"}\
          """;
      case CHAT ->
          """
          {"parallel_tool_calls":false,"metadata":{"a":"b"},"verbosity":"low","stop":["x"],"seed":3}\
          """;
      case ANTHROPIC ->
          """
          {"stop_sequences":["x"],"metadata":{"user_id":"u"},
           "service_tier":"auto","output_config":{"effort":"low"},
           "thinking":{"type":"adaptive","display":"summarized"}}\
          """;
    };
  }
}
