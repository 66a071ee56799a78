package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.handler.Tool;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.RecordedModel;
import dev.switchboard.model.RecordingModel;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Whole conversations written down and played back.
class RecordedConversationTest {
  private final StringWriter out = new StringWriter();

  private static Conversation talk(ChatModel model, String id) {
    return Agent.builder("test")
        .model(model)
        .time(new ManualTime())
        .prompt("You are brief.")
        .tools(
            Tool.dynamic("get_a").handler(arguments -> "a done"),
            Tool.dynamic("get_b").parallel(false).handler(arguments -> "b done"))
        .build()
        .conversation(id);
  }

  /// What a conversation of two turns shows.
  private static List<String> play(Conversation talk, String second) {
    List<Event> events = new ArrayList<>();
    talk.say("Go", events::add);
    talk.say(second, events::add);
    return events.stream()
        .map(event ->
            event.json().text().replaceAll("\"(id|callId|taskId|conversation)\":\"[^\"]*\"", "id"))
        .toList();
  }

  private List<String> record() {
    ScriptedModel model =
        new ScriptedModel()
            .says("Let ", "me see.")
            .and()
            .calls("x", "get_a", "{}")
            .and()
            .calls("x", "get_b", "{}")
            .fails(ModelException.Kind.UNAVAILABLE)
            .says("Both ", "done.")
            .calls("x", "get_a", "{\"more\":1}")
            .says("Again.");
    return play(talk(new RecordingModel(model, out), "c1"), "Once more");
  }

  private RecordedModel replay() throws IOException {
    return RecordedModel.read(new StringReader(out.toString()), "talk.jsonl");
  }

  @Test
  void goesTheSameWayAgain() throws IOException {
    List<String> shown = record();
    RecordedModel model = replay();

    assertThat(play(talk(model, "c2"), "Once more")).isEqualTo(shown);
    model.assertDone();
    assertThat(out.toString().lines()).hasSize(6);
  }

  @Test
  void showsWhatIsAskedOtherwise() throws IOException {
    record();
    Conversation talk = talk(replay(), "c2");

    assertThat(catchThrowable(() -> play(talk, "Once again")))
        .isInstanceOf(RecordedModel.MismatchException.class)
        .hasMessageStartingWith("talk.jsonl:5: exchange 4 was recorded of another request\n");
  }
}
