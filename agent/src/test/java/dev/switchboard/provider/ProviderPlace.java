package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A client of a provider, and servers for it to ask.
public interface ProviderPlace {
  ModelRequest HELLO = ModelRequest.of(new Message.User("Say hello."));

  /// The model to ask.
  ChatModel model(ModelOptions options);

  /// An answer that says `Hello there`.
  String whole();

  /// The same as the data of events; the last is the one that the reply needs to be complete.
  List<String> events();

  /// The data of an event with those words, which stand there as in JSON.
  String wordsEvent(String words);

  /// The events, with those words behind the word `Hello`.
  default List<String> spoken(String... words) {
    List<String> events = new ArrayList<>(events());
    int at =
        events.indexOf(
            events().stream().filter(e -> e.contains("Hello")).findFirst().orElseThrow());
    for (String word : words) {
      at++;
      events.add(at, wordsEvent(word));
    }
    return events;
  }

  /// Whether it asks for a stream where no one listens, too.
  default boolean alwaysStreams() {
    return false;
  }

  /// The data of an event that tells of an error.
  String errorEvent();

  /// The arguments of the call that a request's second message holds, as a server reads them.
  JsonNode arguments(JsonNode request);

  /// The header that the key is sent in.
  String keyHeader();

  /// An answer of these events.
  static StubAnswer sse(List<String> events) {
    return sse(text(events));
  }

  static StubAnswer sse(String body) {
    return StubAnswer.of(200, body).contentType("text/event-stream; charset=utf-8");
  }

  static String text(List<String> events) {
    StringBuilder text = new StringBuilder();
    events.forEach(event -> text.append("data: ").append(event).append("\n\n"));
    return text.toString();
  }

  static StubAnswer error(int status, String message) {
    return StubAnswer.of(
        status, "{\"type\":\"error\",\"error\":{\"type\":\"e\",\"message\":\"" + message + "\"}}");
  }

  static StubWebhook serving(StubAnswer answer) {
    return StubWebhook.start().answer(answer);
  }

  static ModelOptions options() {
    return ModelOptions.builder().build();
  }

  static ModelOptions quick() {
    return ModelOptions.builder().idleLimit(Duration.ofMillis(100)).build();
  }

  default ChatModel at(StubWebhook server) {
    return at(server, options());
  }

  default ChatModel at(StubWebhook server, ModelOptions options) {
    return model(
        new ModelOptions(
            options.key(),
            server.url("/v1/"),
            options.temperature(),
            options.maxTokens(),
            options.reasoning(),
            options.more(),
            options.caching(),
            options.structured(),
            options.thinksFirst(),
            options.idleLimit(),
            options.totalLimit(),
            options.headers(),
            options.api(),
            options.window()));
  }

  static ModelReply heard(ChatModel model) {
    return model.reply(HELLO, new ReplyStream(text -> {}));
  }

  default ModelException failure(StubAnswer answer, ModelOptions options) {
    return failure(answer, options, true);
  }

  default ModelException failure(StubAnswer answer, ModelOptions options, boolean wanted) {
    try (StubWebhook server = serving(answer)) {
      return failure(server, options, wanted);
    }
  }

  default ModelException failure(StubWebhook server, ModelOptions options, boolean wanted) {
    return failure(at(server, options), wanted);
  }

  static ModelException failure(ChatModel model, boolean wanted) {
    ReplyStream stream = wanted ? new ReplyStream(text -> {}) : ReplyStream.unheard();
    ModelException failure =
        catchThrowableOfType(ModelException.class, () -> model.reply(HELLO, stream));
    assertThat(failure).as("no reply").isNotNull();
    assertThat(failure).hasMessageStartingWith("model '" + model.name() + "'");
    return failure;
  }
}
