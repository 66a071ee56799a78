package dev.switchboard.provider;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.provider.ConversationsContract.Way;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// A conversation of a real agent, with two tools that answer only while both are at work.
final class AgentTalk {
  static final String QUESTION = "Is there a table in Oslo, and rain?";
  static final Turn ANSWER = new Turn.Reply("There is a table at seven, and it will rain in Oslo.");

  /// An image of one pixel, and a document of one page.
  static final Message.Attachment DOT =
      new Message.Attachment(
          "image/png",
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
          "dot.png");

  static final Message.Attachment PAGE =
      Message.Attachment.of("application/pdf", "%PDF-1.4\n%%EOF\n".getBytes(StandardCharsets.UTF_8))
          .named("page.pdf");

  private final CyclicBarrier both = new CyclicBarrier(2);
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final ManualTime time = new ManualTime();
  private final boolean streamed;
  private final Conversation conversation;

  /// What a model is asked to write.
  record Invoice(String customer, int total) {}

  /// @param adjustment what is not as usual about the agent
  AgentTalk(Way way, ModelOptions options, UnaryOperator<AgentBuilder> adjustment) {
    this(way, way.model(options), adjustment);
  }

  /// @param adjustment what is not as usual about the agent
  AgentTalk(Way way, ChatModel model, UnaryOperator<AgentBuilder> adjustment) {
    streamed = way.streamed();
    AgentBuilder builder =
        Agent.builder("host")
            .prompt("You book tables.")
            .model(model)
            .tools(table(), weather())
            .time(time);
    conversation = adjustment.apply(builder).build().conversation("talk");
  }

  AgentTalk(Way way, ModelOptions options) {
    this(way, options, UnaryOperator.identity());
  }

  static ModelOptions options(Way way, String serverUrl, String name, Duration idle) {
    return options(way, serverUrl, name, idle, ModelOptions.Structured.TOOL);
  }

  static ModelOptions options(
      Way way, String serverUrl, String name, Duration idle, ModelOptions.Structured structured) {
    return way.options()
        .structured(structured)
        .baseUrl(serverUrl + way.path())
        .key(ApiKey.of("no-key-at-all"))
        .idleLimit(idle)
        .header(Aimock.TEST_ID, name)
        .build();
  }

  private Tool table() {
    String parameters =
        """
        {"type":"object","properties":{"city":{"type":"string"},"party":{"type":"integer"}},
         "required":["city","party"]}\
        """;
    return Tool.dynamic("check_table", parameters)
        .description("Looks for a free table.")
        .handler(arguments -> together("check_table", "free at seven"));
  }

  private Tool weather() {
    String parameters = "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}";
    return Tool.dynamic("get_weather", parameters)
        .description("Tells the weather.")
        .handler(arguments -> together("get_weather", "rain"));
  }

  private String together(String tool, String answer) throws Exception {
    ran.add(tool);
    both.await(5, TimeUnit.MINUTES);
    return answer;
  }

  Turn say(String sentence) {
    events.clear();
    return streamed ? conversation.say(sentence, events::add) : conversation.say(sentence);
  }

  Invoice ask(String sentence) {
    events.clear();
    return conversation.ask(
        new Message.User(sentence), Invoice.class, streamed ? events::add : null);
  }

  Turn show(String sentence, Message.Attachment... files) {
    events.clear();
    return conversation.say(new Message.User(sentence, files), streamed ? events::add : null);
  }

  Conversation conversation() {
    return conversation;
  }

  /// The names of the tools that ran, in order.
  List<String> ran() {
    return ran.stream().sorted().toList();
  }

  List<Duration> pauses() {
    return time.pauses();
  }

  /// The words that were shown in the last turn.
  String words() {
    StringBuilder words = new StringBuilder();
    for (Event event : events) {
      if (event instanceof Event.Content(String content)) {
        words.append(content);
      }
    }
    return words.toString();
  }

  /// The types of the other events that were shown in the last turn.
  List<String> types() {
    return events.stream()
        .map(event -> event.json().tree().path("type").asString())
        .filter(type -> !type.equals("content"))
        .toList();
  }
}
