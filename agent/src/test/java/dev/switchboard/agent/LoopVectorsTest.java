package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Json;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Areas llm-loop, variables and transcript, by their ids. C110 and C118 are the clients'. Not
/// here: C266 (a realtime session), C267 (the log of a phone line) and C268 (its recordings), which
/// come with the phone.
class LoopVectorsTest {
  private final ScriptedModel model = new ScriptedModel();
  private final List<String> order = new ArrayList<>();
  private final Tool tool =
      Tool.dynamic("t")
          .handler(arguments -> {
            order.add("t" + arguments);
            return "a result";
          });

  private static JsonNode given(String id) {
    return Vectors.byId(id).given();
  }

  private static JsonNode expect(String id) {
    return Vectors.byId(id).expect();
  }

  private AgentBuilder agent() {
    return Agent.builder("vectors").model(model).tools(tool);
  }

  private Conversation talk() {
    return agent().build().conversation("c");
  }

  private void show(Event event) {
    if (event instanceof Event.Content(String words)) {
      order.add(words);
    }
  }

  @Test
  void c109HandsTheResultBackWithTheCallsId() {
    String last = given("C109").path("model").get(1).asString().replaceAll("text '(.*)'", "$1");
    model.calls("p7", "t", "{}").says(last);

    Turn turn = talk().say("Go");

    assertThat(turn).isEqualTo(new Turn.Reply(expect("C109").path("yields").get(0).asString()));
    assertThat(model.requests()).hasSize(expect("C109").path("llm_requests").asInt());
    List<Message> tail = model.lastRequest().messages();
    assertThat(tail.get(tail.size() - 2))
        .isInstanceOfSatisfying(
            Message.Assistant.class,
            said -> assertThat(said.calls()).singleElement().matches(c -> c.id().equals("p7")));
    assertThat(tail.getLast()).isEqualTo(new Message.Result("p7", "t", "a result", true));
  }

  @Test
  void c114TellsTheModelWhatIsWrongWithItsArguments() {
    model.calls("t", given("C114").path("arguments text").asString()).says("Sorry.");

    assertThat(talk().say("Go")).isEqualTo(new Turn.Reply("Sorry."));

    assertThat(order).isEmpty();
    Message.Result result = (Message.Result) model.lastRequest().messages().getLast();
    String word = expect("C114").path("tool_message_json").path("error_contains").asString();
    assertThat(Json.text(result.text()).tree().path("error").asString()).containsIgnoringCase(word);
  }

  @Test
  void c117KeepsCallsAndResultsOfEarlierTurns() {
    model.calls("t", "{}").says("done.").says("yes.");
    Conversation talk = talk();
    talk.say("Order it");
    talk.say("Did you?");

    assertThat(expect("C117").path("contains_tool_call_and_result_of_turn_1").asBoolean()).isTrue();
    assertThat(model.lastRequest().messages())
        .extracting(message -> message.getClass().getSimpleName())
        .containsExactly("User", "Assistant", "Result", "Assistant", "User");
  }

  @Test
  void c120ChangesNothingWhereAHookReturnsNull() {
    model.says("Hello.");
    agent().hook(new ModelHook() {}).build().conversation("c").say("Hi");

    assertThat(expect("C120").path("messages").asString()).isEqualTo("unchanged");
    assertThat(model.lastRequest().messages()).containsExactly(new Message.User("Hi"));
  }

  @Test
  void c121GoesOnWhereAHookThrows() {
    ModelHook broken =
        new ModelHook() {
          @Override
          public ModelRequest beforeModel(String conversationId, ModelRequest request) {
            throw new IllegalStateException("before");
          }

          @Override
          public ModelReply afterModel(String conversationId, ModelReply reply) {
            throw new IllegalStateException("after");
          }
        };
    model.says("Hello.");

    assertThat(expect("C121").path("fail_open").asBoolean()).isTrue();
    assertThat(agent().hook(broken).build().conversation("c").say("Hi"))
        .isEqualTo(new Turn.Reply("Hello."));
  }

  @Test
  void c122SaysTheWordsBeforeItCallsTheTool() {
    String words = given("C122").path("text before tool call").asString();
    model.says(words).and().calls("t", "{}").says("done.");

    talk().say("Go", this::show);

    assertThat(order.getFirst()).isEqualTo(expect("C122").path("yields_first").asString());
    assertThat(order.get(1)).isEqualTo("t{}");
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new HashMap<>();
    object.propertyStream().forEach(p -> texts.put(p.getKey(), p.getValue().asString()));
    return texts;
  }

  @Test
  void c260TakesControlCharactersOut() {
    Variables variables = new Variables(texts(given("C260").path("custom_params")));

    assertThat(variables.fill("{n}")).isEqualTo(expect("C260").path("value").asString());
  }

  @Test
  void c261CutsWhatIsTooLong() {
    assertThat(given("C261").path("custom_params").path("n").asString()).isEqualTo("<1000 x>");
    Variables variables = new Variables(Map.of("n", "x".repeat(1000)));

    assertThat(variables.fill("{n}")).hasSize(expect("C261").path("length").asInt());
  }

  @Test
  void c262LeavesNamesOutThatAreNone() {
    Variables variables = new Variables(texts(given("C262").path("custom_params")));

    assertThat(variables.values().keySet())
        .containsExactlyElementsOf(
            expect("C262").path("keys").valueStream().map(JsonNode::asString).toList());
  }

  @Test
  void c263FillsInOnePass() {
    JsonNode given = given("C263");
    model.says("Hello.");
    agent()
        .prompt(given.path("prompt").asString())
        .variables(texts(given.path("variables")))
        .build()
        .conversation("c")
        .say("Hi");

    assertThat(model.lastRequest().messages().getFirst())
        .isEqualTo(new Message.System(expect("C263").path("prompt").asString()));
  }

  @Test
  void c269KeepsTheLatestOfALongHistory() {
    assertThat(given("C269").path("history of 201 entries").asBoolean()).isTrue();
    History history = new History(tool -> false);
    IntStream.range(0, 201)
        .forEach(i ->
            history.add(
                "line" + i, new TranscriptEntry.Called(List.of(new Message.User("say " + i)))));

    List<Message> read = history.messages(AgentLimits.DEFAULT.history());

    assertThat(read).hasSize(expect("C269").path("kept").asInt());
    assertThat(expect("C269").path("evicted").asString()).isEqualTo("oldest");
    assertThat(read.getFirst()).isEqualTo(new Message.User("say 1"));
  }
}
