package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.ScriptedModel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TellingModelTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final ScriptedModel script = new ScriptedModel();
  private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
  private final TellingModel model = new TellingModel(script, new PlainView(out, out));

  @Test
  void saysAFailureOnceUntilItHasPassed() {
    script.fails(Kind.UNAVAILABLE).fails(Kind.UNAVAILABLE).says("Yes.").fails(Kind.UNAVAILABLE);

    ask();
    ask();
    assertThat(said.toString(StandardCharsets.UTF_8)).hasLineCount(1);
    ask();
    ask();
    assertThat(said.toString(StandardCharsets.UTF_8)).hasLineCount(2);
  }

  @Test
  void saysNothingOfAReplyThatNobodyWantsAnyMore() {
    script.fails(Kind.CANCELLED);

    ask();

    assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private void ask() {
    Throwable ignored =
        catchThrowable(
            () -> model.reply(ModelRequest.of(new Message.User("?")), ReplyStream.unheard()));
  }
}
