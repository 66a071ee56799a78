package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.testing.ScriptedModel;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedModelTest {
  private static final ReplyStream UNHEARD = ReplyStream.unheard();

  private static RecordedModel replay(ScriptedModel model, ModelRequest... requests) {
    return Talk.replay(Talk.recorded(model, requests));
  }

  @Test
  void repliesWhatWasRecorded() {
    ModelReply whole =
        new ModelReply(
            "Let me check.",
            List.of(
                new RequestedCall(
                    "", "check_table", Json.text("{no json"), Json.text("{\"s\":1}"))),
            ModelReply.FinishReason.LENGTH,
            new ModelReply.Usage(120, 17));
    RecordedModel model =
        replay(
            new ScriptedModel().replies(whole).says("There is one."),
            Talk.first(),
            Talk.second("c1"));

    assertThat(model.reply(Talk.first(), UNHEARD)).isEqualTo(whole);
    assertThat(model.reply(Talk.second("c1"), UNHEARD)).isEqualTo(ModelReply.text("There is one."));
    assertThatCode(model::assertDone).doesNotThrowAnyException();
    assertThat(model.name()).isEqualTo("scripted");
  }

  @Test
  void streamsTheFragmentsThatWereRecorded() {
    List<String> heard = new ArrayList<>();
    RecordedModel model = replay(new ScriptedModel().says("There ", "is one."), Talk.first());

    model.reply(Talk.first(), new ReplyStream(heard::add));

    assertThat(heard).containsExactly("There ", "is one.");
  }

  @Test
  void streamsTheWholeTextWhereNoneWereRecorded() {
    List<String> heard = new ArrayList<>();
    String text =
        Talk.recorded(new ScriptedModel().says("There ", "is one."), Talk.first())
            .replace("\"fragments\":[\"There \",\"is one.\"],", "");

    Talk.replay(text).reply(Talk.first(), new ReplyStream(heard::add));

    assertThat(heard).containsExactly("There is one.");
  }

  @Test
  void failsAsWasRecordedAndGoesOn() {
    ScriptedModel script =
        new ScriptedModel()
            .says("There ")
            .and()
            .fails(ModelException.Kind.RATE_LIMITED, Duration.ofMillis(1500))
            .fails(ModelException.Kind.TIMEOUT)
            .says("Hi.");
    RecordedModel model = replay(script, Talk.first(), Talk.first(), Talk.first());
    List<String> heard = new ArrayList<>();

    assertThatThrownBy(() -> model.reply(Talk.first(), new ReplyStream(heard::add)))
        .isInstanceOfSatisfying(
            ModelException.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(ModelException.Kind.RATE_LIMITED);
              assertThat(failure.retryAfter()).isEqualTo(Duration.ofMillis(1500));
              assertThat(failure).hasMessage("the script says RATE_LIMITED");
            });
    assertThat(heard).containsExactly("There ");
    assertThatThrownBy(() -> model.reply(Talk.first(), UNHEARD))
        .isInstanceOfSatisfying(
            ModelException.class, failure -> assertThat(failure.retryAfter()).isNull());
    assertThat(model.reply(Talk.first(), UNHEARD).text()).isEqualTo("Hi.");
  }

  @Test
  void takesCallsUnderOtherIds() {
    RecordedModel model =
        replay(new ScriptedModel().says("One.").says("Two."), Talk.first(), Talk.second("c1"));
    model.reply(Talk.first(), UNHEARD);

    assertThat(model.reply(Talk.second("another"), UNHEARD).text()).isEqualTo("Two.");
  }

  @Test
  void takesToolsInAnotherOrder() {
    ModelRequest request =
        new ModelRequest(
            List.of(Talk.FIRST),
            List.of(Talk.CHECK, Talk.tool("menu", "{}")),
            ModelRequest.ToolChoice.AUTO);
    RecordedModel model = replay(new ScriptedModel().says("Hi."), request);

    assertThat(
            model
                .reply(
                    new ModelRequest(
                        request.messages(),
                        request.tools().reversed(),
                        ModelRequest.ToolChoice.AUTO),
                    UNHEARD)
                .text())
        .isEqualTo("Hi.");
  }

  @Test
  void ignoresTheSystemPromptWhereItIsTold() {
    RecordedModel model = replay(new ScriptedModel().says("Hi."), Talk.first());
    ModelRequest tuesday = Talk.request(new Message.System("It is Tuesday."), Talk.FIRST);

    assertThat(model.ignoringSystem().reply(tuesday, UNHEARD).text()).isEqualTo("Hi.");
    assertThatThrownBy(() -> model.ignoringSystem().reply(Talk.request(Talk.FIRST), UNHEARD))
        .isInstanceOf(RecordedModel.MismatchException.class);
  }

  @Test
  void stopsWhenItIsCancelled() {
    RecordedModel model = replay(new ScriptedModel().says("Hi."), Talk.first());
    ReplyStream cancelled = ReplyStream.unheard();
    cancelled.cancel();

    assertThatThrownBy(() -> model.reply(Talk.first(), cancelled))
        .isInstanceOf(ModelException.class);
  }

  @Test
  void saysThatItsFileCannotBeRead() {
    Path file = Path.of("no-such-folder", "talk.jsonl");

    assertThatThrownBy(() -> RecordedModel.read(file))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("the recording " + file + " cannot be read");
  }

  @Test
  void saysThatItsTextCannotBeRead() {
    Reader broken =
        new Reader() {
          @Override
          public int read(char[] letters, int from, int length) throws IOException {
            throw new IOException("gone");
          }

          @Override
          public void close() {}
        };

    assertThatThrownBy(() -> RecordedModel.read(broken, "talk.jsonl"))
        .isInstanceOf(IOException.class)
        .hasMessage("talk.jsonl cannot be read");
  }

  @Test
  void playsAThousandExchangesBackAtOnce() {
    ModelRequest[] requests = new ModelRequest[1_000];
    ScriptedModel script = new ScriptedModel();
    Message[] messages = {Talk.FIRST};
    for (int i = 0; i < requests.length; i++) {
      requests[i] = Talk.request(messages);
      script.says("reply " + i);
    }
    RecordedModel model = replay(script, requests);

    for (int i = 0; i < requests.length; i++) {
      assertThat(model.reply(requests[i], UNHEARD).text()).isEqualTo("reply " + i);
    }
    model.assertDone();
  }

  @Test
  void findsAGrowingConversationAgain() {
    List<Message> messages = new ArrayList<>();
    List<ModelRequest> requests = new ArrayList<>();
    ScriptedModel script = new ScriptedModel();
    for (int i = 0; i < 100; i++) {
      messages.add(new Message.User("question " + i));
      requests.add(Talk.request(messages.toArray(Message[]::new)));
      script.says("reply " + i);
      messages.add(new Message.Assistant("reply " + i, List.of()));
    }
    RecordedModel model = replay(script, requests.toArray(ModelRequest[]::new));

    for (ModelRequest request : requests) {
      model.reply(request, UNHEARD);
    }
    model.assertDone();
  }
}
