package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.testing.ScriptedModel;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingModelTest {
  @TempDir private Path folder;

  private static final String HEADER = "{\"recording\":1,\"model\":\"scripted\"}";

  @Test
  void writesWhatIsNewInEachRequestAndWhatCameOfIt() {
    ScriptedModel model =
        new ScriptedModel().calls("c1", "check_table", "{\"size\":4}").says("There ", "is one.");
    String digest = Exchange.digests(List.of(Talk.CHECK)).get("check_table");

    assertThat(Talk.recorded(model, Talk.first(), Talk.second("c1")).lines())
        .containsExactly(
            HEADER,
            """
            {"from":0,"messages":[{"role":"system","text":"You take bookings."},\
            {"role":"user","text":"A table for four at 19:30?"}],\
            "tools":{"check_table":"%s"},"choice":"auto",\
            "reply":{"calls":[{"id":"c1","name":"check_table","arguments":"{\\"size\\":4}"}],\
            "finish":"tool_calls","usage":{"input":0,"output":0}}}\
            """
                .formatted(digest),
            """
            {"from":2,"messages":[{"role":"assistant","calls":[{"id":"c1","name":"check_table",\
            "arguments":"{\\"size\\":4}"}]},\
            {"role":"result","call":"c1","tool":"check_table","text":"T4 is free","success":true}],\
            "tools":{"check_table":"%s"},"choice":"auto","fragments":["There ","is one."],\
            "reply":{"text":"There is one.","finish":"stop","usage":{"input":0,"output":0}}}\
            """
                .formatted(digest));
  }

  @Test
  void passesSignsOfLifeOn() {
    List<String> noted = new ArrayList<>();
    ReplyStream stream = new ReplyStream(text -> {});
    stream.onLife(() -> noted.add("alive"));
    stream.onDropped(noted::add);
    ChatModel thinking =
        (request, heard) -> {
          heard.alive();
          heard.dropped("refused");
          return ModelReply.text("Hi.");
        };

    try (RecordingModel model = new RecordingModel(thinking, new StringWriter())) {
      model.reply(Talk.first(), stream);
    }

    assertThat(noted).containsExactly("alive", "refused");
  }

  @Test
  void writesEverythingWhereAnEarlierMessageHasChanged() {
    ScriptedModel model = new ScriptedModel().says("Hi.").says("Hi.");
    ModelRequest trimmed = ModelRequest.of(Talk.FIRST, new Message.User("And now?"));

    assertThat(Talk.recorded(model, Talk.first(), trimmed).lines().toList().get(2))
        .startsWith("{\"from\":0,\"messages\":[{\"role\":\"user\",\"text\":\"A table");
  }

  @Test
  void writesNoMessageTwiceForAnotherAttempt() {
    ScriptedModel model =
        new ScriptedModel().fails(ModelException.Kind.RATE_LIMITED, Duration.ofSeconds(2)).says("");
    ModelRequest request = ModelRequest.of(Talk.FIRST);

    assertThat(Talk.recorded(model, request, request).lines())
        .containsExactly(
            HEADER,
            """
            {"from":0,"messages":[{"role":"user","text":"A table for four at 19:30?"}],\
            "failure":{"kind":"rate_limited","message":"the script says RATE_LIMITED",\
            "retry_after_ms":2000}}\
            """,
            "{\"from\":1,\"reply\":{\"finish\":\"stop\",\"usage\":{\"input\":0,\"output\":0}}}");
  }

  @Test
  void writesALetterWholeThatTwoFragmentsShare() {
    ScriptedModel model = new ScriptedModel().says("Yes \ud83d", "\ude00!");

    assertThat(Talk.recorded(model, Talk.first()))
        .contains("\"fragments\":[\"Yes \",\"\ud83d\ude00!\"]");
  }

  @Test
  void replacesHalfALetterSoThatTheLineCanBeRead() {
    ScriptedModel model = new ScriptedModel().says("Yes \ud83d");
    String recorded = Talk.recorded(model, ModelRequest.of(new Message.User("\ude00?")));

    assertThat(recorded).contains("\"text\":\"Yes \ufffd\"").contains("\"text\":\"\ufffd?\"");
    assertThat(
            Talk.replay(recorded)
                .reply(ModelRequest.of(new Message.User("\ude00?")), ReplyStream.unheard())
                .text())
        .isEqualTo("Yes \ufffd");
  }

  @Test
  void handsTheWordsOnAsTheyCome() {
    List<String> heard = new ArrayList<>();
    RecordingModel model =
        new RecordingModel(new ScriptedModel().says("There ", "is one."), new StringWriter());

    assertThat(model.reply(Talk.first(), new ReplyStream(heard::add)).text())
        .isEqualTo("There is one.");
    assertThat(heard).containsExactly("There ", "is one.");
    assertThat(model.name()).isEqualTo("scripted");
  }

  @Test
  void stopsTheModelWhenItIsCancelled() {
    StringWriter out = new StringWriter();
    RecordingModel model = new RecordingModel(new ScriptedModel().says("One ", "two"), out);
    ReplyStream[] stream = new ReplyStream[1];
    stream[0] = new ReplyStream(fragment -> stream[0].cancel());

    assertThatThrownBy(() -> model.reply(Talk.first(), stream[0]))
        .isInstanceOf(ModelException.class);
    assertThat(out.toString())
        .contains("\"fragments\":[\"One \"],\"failure\":{\"kind\":\"cancelled\"");
  }

  @Test
  void writesEachLineToItsFileAtOnce() throws IOException {
    Path file = Files.writeString(folder.resolve("talk.jsonl"), "an older one");
    try (RecordingModel model = new RecordingModel(new ScriptedModel().says("Hi."), file)) {
      assertThat(Files.readAllLines(file)).containsExactly(HEADER);
      model.reply(Talk.first(), ReplyStream.unheard());
      assertThat(Files.readAllLines(file)).hasSize(2);
    }
    assertThat(RecordedModel.read(file).reply(Talk.first(), ReplyStream.unheard()).text())
        .isEqualTo("Hi.");
  }

  @Test
  void saysThatItsFileCannotBeWritten() {
    assertThatThrownBy(() -> new RecordingModel(new ScriptedModel(), folder))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("the recording " + folder + " cannot be written");
  }

  @Test
  void failsWhereALineCannotBeWritten() {
    Writer full =
        new Writer() {
          private boolean once;

          @Override
          public void write(char[] letters, int from, int length) throws IOException {
            if (once) {
              throw new IOException("no space left");
            }
            once = true;
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    RecordingModel model = new RecordingModel(new ScriptedModel().says("Hi."), full);

    assertThatThrownBy(() -> model.reply(Talk.first(), ReplyStream.unheard()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("the recording cannot be written");
  }
}
