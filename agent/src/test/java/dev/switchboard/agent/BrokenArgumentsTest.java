package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RecordedModel;
import dev.switchboard.model.RecordingModel;
import dev.switchboard.model.RequestedCall;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Arguments that no server reads again are refused, and the conversation goes on.
class BrokenArgumentsTest extends ScriptedTalk {
  private static List<RequestedCall> calls(List<Message> messages) {
    return messages.stream()
        .filter(Message.Assistant.class::isInstance)
        .flatMap(message -> ((Message.Assistant) message).calls().stream())
        .toList();
  }

  private static List<Message.Result> results(ModelRequest request) {
    return request.messages().stream()
        .filter(Message.Result.class::isInstance)
        .map(Message.Result.class::cast)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"n\":1,,",
        "{\"n\":",
        "[1]",
        "\"{}\"",
        "null",
        "{} {}",
        "{\"n\":1,\"n\":2}",
        "{\"n\":\"\\ud83d\"}",
        "{\"n\":1e999}",
        "{\"n\":{\"m\":[-1e999]}}"
      })
  void handsTheModelNothingThatServersRefuseToRead(String arguments) {
    model.calls("get_it", arguments).says("Sorry.").says("Yes.");
    Conversation talk = talk(tool("get_it"));
    talk.say("Go");
    talk.say("Still there?");

    for (ModelRequest request : model.requests()) {
      assertThat(calls(request.messages())).allMatch(call -> call.arguments().text().equals("{}"));
    }
    assertThat(calls(talk.history())).hasSize(1);
  }

  @Test
  void tellsTheModelWhatIsWrong() {
    model.calls("get_it", "{\"n\":1,,").says("Sorry.");
    talk(tool("get_it")).say("Go");

    assertThat(ran).isEmpty();
    assertThat(results(model.lastRequest()))
        .singleElement()
        .satisfies(result -> {
          assertThat(result.success()).isFalse();
          assertThat(Json.text(result.text()).tree().path("error").asString())
              .contains("broken JSON");
        });
  }

  @Test
  void leavesSoundArgumentsAsTheyCame() {
    String text = "{ \"n\" : 1.50, \"m\": [9007199254740993, -1e300] }";
    model.calls("get_it", text).says("Done.");
    talk(tool("get_it")).say("Go");

    assertThat(calls(model.lastRequest().messages()))
        .extracting(call -> call.arguments().text())
        .containsExactly(text);
  }

  @Test
  void mendsAStoredHistory() {
    InProcessConversations store = new InProcessConversations();
    String broken =
        "\"calls\":[{\"id\":\"a\",\"name\":\"get_it\",\"arguments\":\"{\\\"n\\\":1,,\"}]";
    String result = "{\"role\":\"result\",\"call\":\"a\",\"tool\":\"get_it\",\"text\":\"no\"}";
    keep(store, "turn1/input", "{\"type\":\"said\",\"input\":\"i\",\"text\":\"Go\",\"turn\":1");
    keep(
        store,
        "turn1/round1/model",
        "{\"type\":\"replied\",\"reply\":{%s,\"finish\":\"tool_calls\"},\"ids\":[\"call_1_1_1\"]"
            .formatted(broken));
    keep(
        store,
        "turn1/round1/end",
        "{\"type\":\"ended\",\"messages\":[%s],\"decision\":{\"type\":\"continue\"}"
            .formatted(result));
    keep(
        store,
        "turn2/start",
        "{\"type\":\"called\",\"messages\":[{\"role\":\"assistant\",%s},%s]"
            .formatted(broken, result));
    model.says("Sorry.");
    agent(tool("get_it")).store(store).build().conversation("c").resume();

    assertThat(calls(model.lastRequest().messages()))
        .hasSize(2)
        .allMatch(call -> call.arguments().text().equals("{}"));
  }

  private static void keep(InProcessConversations store, String key, String entry) {
    Json line = Json.text(entry + ",\"v\":1,\"at\":\"2026-01-01T00:00:00Z\"}");
    assertThat(store.append("c", 0, new Line(key, line))).isTrue();
  }

  @Test
  void playsARecordingWithBrokenArgumentsBack() throws IOException {
    model.calls("get_it", "{\"n\":1,,").says("Sorry.");
    StringWriter out = new StringWriter();
    try (RecordingModel recording = new RecordingModel(model, out)) {
      agent(tool("get_it")).model(recording).build().conversation("c").say("Go");
    }
    String before =
        out.toString().replace("\"arguments\":\"{}\"", "\"arguments\":\"{\\\"n\\\":1,,\"");
    assertThat(before).isNotEqualTo(out.toString());

    for (String text : List.of(out.toString(), before)) {
      RecordedModel recorded = RecordedModel.read(new StringReader(text), "recording");
      Conversation talk = agent(tool("get_it")).model(recorded).build().conversation("c");

      assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Sorry."));
      recorded.assertDone();
    }
  }

  @Test
  void keepsAReplyAsItCame() {
    ModelReply reply = ModelReply.calls(RequestedCall.of("a", "get_it", "{\"n\":1,,"));

    assertThat(reply.calls().getFirst().arguments().text()).isEqualTo("{\"n\":1,,");
  }
}
