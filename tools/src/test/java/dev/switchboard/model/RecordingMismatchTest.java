package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is said when a model is asked something else than in its recording.
class RecordingMismatchTest {
  private static final String TEXT =
      Talk.recorded(
          new ScriptedModel().replies(Talk.ASKS).says("There is one."),
          Talk.first(),
          Talk.second("c1"));

  private final RecordedModel model = Talk.replay(TEXT);

  private String saidOf(ModelRequest request) {
    Throwable thrown = catchThrowable(() -> model.reply(request, ReplyStream.unheard()));
    assertThat(thrown)
        .isInstanceOf(RecordedModel.MismatchException.class)
        .isInstanceOf(AssertionError.class);
    return thrown.getMessage();
  }

  private void playFirst() {
    model.reply(Talk.first(), ReplyStream.unheard());
  }

  private static ModelRequest offering(ModelRequest.ToolChoice choice, ToolDefinition... tools) {
    return new ModelRequest(Talk.first().messages(), List.of(tools), choice);
  }

  @Test
  void marksTheFirstLetterThatDiffers() {
    assertThat(saidOf(Talk.request(Talk.SYSTEM, new Message.User("A table for six?"))))
        .isEqualTo(
            """
            talk.jsonl:2: exchange 1 was recorded of another request
            message 2 differs
              recorded: {"role":"user","text":"A table for four at 19:30?"}
              asked:    {"role":"user","text":"A table for six?"}
                                                           ^\
            """);
  }

  @Test
  void showsLongTextsAroundTheLetter() {
    String long1 = "x".repeat(500);
    RecordedModel recorded =
        Talk.replay(
            Talk.recorded(
                new ScriptedModel().says("Hi."),
                ModelRequest.of(new Message.User(long1 + "one" + long1))));

    assertThat(
            catchThrowable(() ->
                recorded.reply(
                    ModelRequest.of(new Message.User(long1 + "two" + long1)),
                    ReplyStream.unheard())))
        .hasMessage(
            """
            talk.jsonl:2: exchange 1 was recorded of another request
            message 1 differs
              recorded: ...%1$sone%2$s...
              asked:    ...%1$stwo%2$s...
                        %3$s^\
            """
                .formatted("x".repeat(40), "x".repeat(37), " ".repeat(43)));
  }

  @Test
  void showsAMessageThatWasNotRecorded() {
    assertThat(saidOf(Talk.request(Talk.SYSTEM, Talk.FIRST, new Message.Notice("Be brief."))))
        .isEqualTo(
            """
            talk.jsonl:2: exchange 1 was recorded of another request
            message 3 was not recorded (2 recorded, 3 asked)
              asked:    {"role":"notice","text":"Be brief."}\
            """);
  }

  @Test
  void showsAMessageThatIsMissing() {
    playFirst();

    assertThat(
            saidOf(
                Talk.request(Talk.second("c1").messages().subList(0, 3).toArray(Message[]::new))))
        .isEqualTo(
            """
            talk.jsonl:3: exchange 2 was recorded of another request
            message 4 was not asked (4 recorded, 3 asked)
              recorded: {"role":"result","call":"#1","tool":"check_table","text":"T4 is free","success":true}\
            """);
  }

  @Test
  void takesNoResultUnderTheIdOfAnotherCall() {
    playFirst();
    ModelRequest mixed =
        Talk.request(
            Talk.SYSTEM,
            Talk.FIRST,
            new Message.Assistant("", List.of(Talk.CALL)),
            new Message.Result("c2", "check_table", "T4 is free", true));

    assertThat(saidOf(mixed))
        .isEqualTo(
            """
            talk.jsonl:3: exchange 2 was recorded of another request
            message 4 differs
              recorded: {"role":"result","call":"#1","tool":"check_table","text":"T4 is fr...
              asked:    {"role":"result","call":"#2","tool":"check_table","text":"T4 is fr...
                                                  ^\
            """);
  }

  @Test
  void namesToolsThatWereNotOffered() {
    assertThat(saidOf(offering(ModelRequest.ToolChoice.AUTO, Talk.CHECK, Talk.tool("menu", "{}"))))
        .isEqualTo(
            """
            talk.jsonl:2: exchange 1 was recorded of another request
            tool 'menu' was not offered then\
            """);
  }

  @Test
  void namesToolsThatHaveChangedOrAreGone() {
    assertThat(
            saidOf(
                offering(
                    ModelRequest.ToolChoice.AUTO,
                    Talk.tool("check_table", "{\"type\":\"string\"}"))))
        .endsWith("\ntool 'check_table' has another description or other parameters now");
    assertThat(saidOf(offering(ModelRequest.ToolChoice.AUTO, Talk.tool("menu", "{}"))))
        .endsWith("\ntool 'menu' was not offered then\ntool 'check_table' is not offered now");
  }

  @Test
  void showsAnotherChoice() {
    assertThat(saidOf(offering(ModelRequest.ToolChoice.REQUIRED, Talk.CHECK)))
        .isEqualTo(
            """
            talk.jsonl:2: exchange 1 was recorded of another request
            the choice of tools differs
              recorded: auto
              asked:    required\
            """);
  }

  @Test
  void takesTheRightRequestAfterAWrongOne() {
    saidOf(Talk.second("c1"));
    playFirst();

    assertThat(model.reply(Talk.second("c1"), ReplyStream.unheard()).text())
        .isEqualTo("There is one.");
  }

  @Test
  void saysThatTheRecordingHasEnded() {
    playFirst();
    model.reply(Talk.second("c1"), ReplyStream.unheard());

    assertThat(saidOf(ModelRequest.of(new Message.User("And on Friday?"))))
        .isEqualTo(
            """
            talk.jsonl: ends after exchange 2, and the model was asked once more
              asked:    {"role":"user","text":"And on Friday?"}\
            """);
  }

  @Test
  void saysWhatWasNotAskedFor() {
    playFirst();

    assertThat(catchThrowable(model::assertDone))
        .isInstanceOf(RecordedModel.MismatchException.class)
        .hasMessage("talk.jsonl:3: exchange 2 of 2 was not asked for");
  }
}
