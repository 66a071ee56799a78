package dev.switchboard.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.ScriptedModel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerboseModelTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final ScriptedModel script = new ScriptedModel();
  private final PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
  private final VerboseModel model = new VerboseModel(script, new PlainView(out, out));

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
  void saysNothingOfAReplyThatNoOneWantsAnyMore() {
    script.fails(Kind.CANCELLED);

    ask();

    assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void saysAFailureOnceInWhateverWords() {
    Queue<String> words = new ArrayDeque<>(List.of("first words", "other words"));
    ChatModel failing =
        (request, stream) -> {
          throw new ModelException(Kind.UNAVAILABLE, words.remove(), null, null);
        };
    VerboseModel telling = new VerboseModel(failing, new PlainView(out, out));
    ModelRequest request = ModelRequest.of(new Message.User("?"));

    for (int i = 0; i < 2; i++) {
      Throwable ignored = catchThrowable(() -> telling.reply(request, ReplyStream.unheard()));
    }

    assertThat(said.toString(StandardCharsets.UTF_8)).isEqualTo("first words\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          LENGTH   | Half | The reply was cut at the model's limit.
          LENGTH   | ''   | The reply was cut at the model's limit.
          FILTERED | ''   | The provider held words of the reply back.
          STOP     | ''   | The model's reply was empty.
          """)
  void saysWhatIsUnusualAboutAReply(ModelReply.FinishReason finish, String text, String note) {
    ModelReply reply = new ModelReply(text, List.of(), finish, ModelReply.Usage.NONE);
    ChatModel replying = (request, stream) -> reply;

    new VerboseModel(replying, new PlainView(out, out))
        .reply(ModelRequest.of(new Message.User("?")), ReplyStream.unheard());

    assertThat(said.toString(StandardCharsets.UTF_8)).isEqualTo(note + "\n");
  }

  private void ask() {
    Throwable ignored =
        catchThrowable(
            () -> model.reply(ModelRequest.of(new Message.User("?")), ReplyStream.unheard()));
  }
}
