package dev.switchboard.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.cli.chat.PlainView;
import dev.switchboard.cli.chat.View;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RecordedModel;
import dev.switchboard.model.RecordingModel;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.ScriptedModel;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// `demo/model.jsonl` is what comes of this script; `-Ddemo.record=true` writes it anew.
class RecordingTest {
  private static final Path RESOURCE = Path.of("src/main/resources/demo/model.jsonl");
  private static final ExecutionListener NOBODY = new ExecutionListener() {};
  private static final String BOOK =
      "{\"date\":\"2026-12-05\",\"time\":\"19:30\",\"table\":\"T5\",\"customer_name\":\"%s\"}";
  private static final String LOOK =
      "{\"date\":\"2026-12-05\",\"time\":\"19:30\",\"party_size\":%s}";

  @Test
  void theRecordingIsUpToDate() throws IOException {
    StringWriter recording = new StringWriter();
    ScriptedModel script = script();

    assertThat(demo().play(new RecordingModel(new Named(script), recording))).isTrue();

    script.assertDone();
    if (Boolean.getBoolean("demo.record")) {
      Files.writeString(RESOURCE, recording.toString());
    }
    assertThat(Files.readString(RESOURCE))
        .as("the recording is stale; -Ddemo.record=true writes it anew")
        .isEqualTo(recording.toString());
  }

  @Test
  void anotherConversationThanTheRecordedOneIsAFailure() throws IOException {
    String stale = Resources.text("model.jsonl").replace("half past seven", "half past eight");
    RecordedModel model = RecordedModel.read(new StringReader(stale), "stale.jsonl");

    assertThatThrownBy(() -> demo().play(model))
        .isInstanceOf(RecordedModel.MismatchException.class)
        .hasMessageContaining("half past eight");
  }

  @Test
  void aModelThatFailsEndsIt() throws IOException {
    ChatModel broken =
        (request, stream) -> {
          throw new IllegalStateException("broken");
        };

    assertThat(demo().play(broken)).isFalse();
  }

  private static Demo demo() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    View view = new PlainView(nowhere, nowhere);
    return new Demo(view, NOBODY);
  }

  private static ScriptedModel script() {
    return new ScriptedModel()
        .says("Let me ", "look.")
        .and()
        .calls("make_reservation", BOOK.formatted("guest"))
        .calls("check_availability", LOOK.formatted("\"four\""))
        .calls("check_availability", LOOK.formatted("4"))
        .says("Yes! ", "T5 on the patio ", "and T12 inside ", "are free at 19:30.")
        .calls("make_reservation", BOOK.formatted("Ada"))
        .and()
        .calls("suggest_menu", "{\"guests\":4,\"diet\":\"VEGETARIAN\"}")
        .says("Table T5 is yours, Ada. ", "For you the kitchen would make ")
        .and()
        .says("pumpkin soup ", "and mushroom risotto.")
        .calls("send_confirmation", "{\"text\":\"T5, Saturday 19:30, for Ada\"}")
        .calls("send_confirmation", "{\"text\":\"T5 on Saturday, 19:30\"}")
        .calls("send_confirmation", "{\"text\":\"T5, 19:30\"}")
        .says("I cannot reach the message service just now, ", "but your table is booked.")
        .calls("cancel_reservation", "{\"reservation\":\"R1\"}")
        .says("R1 is cancelled. ", "I hope to see you another time!");
  }

  private record Named(ChatModel model) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      return model.reply(request, stream);
    }

    @Override
    public String name() {
      return "recorded";
    }
  }
}
