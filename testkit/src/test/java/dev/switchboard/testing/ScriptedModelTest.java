package dev.switchboard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptedModelTest {
  private static final ModelRequest HELLO = ModelRequest.of(new Message.User("hello"));

  private static ModelReply ask(ScriptedModel model) {
    return model.reply(HELLO, ReplyStream.unheard());
  }

  @Test
  void repliesInTheOrderOfItsScript() {
    ScriptedModel model = new ScriptedModel().says("One.").says("Two.");

    assertThat(ask(model)).isEqualTo(ModelReply.text("One."));
    assertThat(ask(model)).isEqualTo(ModelReply.text("Two."));
    model.assertDone();
  }

  @Test
  void streamsTheFragmentsOfAReply() {
    List<String> heard = new ArrayList<>();
    ScriptedModel model = new ScriptedModel().says("There is ", "a table.");

    ModelReply reply = model.reply(HELLO, new ReplyStream(heard::add));

    assertThat(heard).containsExactly("There is ", "a table.");
    assertThat(reply.text()).isEqualTo("There is a table.");
  }

  @Test
  void givesEachCallAnIdOfItsOwn() {
    ScriptedModel model =
        new ScriptedModel().calls("check", "{}").and().calls("menu", "{}").calls("book", "{}");

    assertThat(ask(model))
        .isEqualTo(
            ModelReply.calls(
                RequestedCall.of("call_1", "check", "{}"),
                RequestedCall.of("call_2", "menu", "{}")));
    assertThat(ask(model).calls().getFirst().id()).isEqualTo("call_3");
  }

  @Test
  void givesCallsTheIdsOfTheScript() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("", "check", "{}")
            .and()
            .calls("x", "a", "")
            .and()
            .calls("x", "b", "");

    assertThat(ask(model).calls()).extracting(RequestedCall::id).containsExactly("", "x", "x");
  }

  @Test
  void joinsWordsAndCalls() {
    ScriptedModel model = new ScriptedModel().says("Let me check.").and().calls("check", "{}");

    ModelReply reply = ask(model);

    assertThat(reply.text()).isEqualTo("Let me check.");
    assertThat(reply.calls()).hasSize(1);
    assertThat(reply.finish()).isEqualTo(ModelReply.FinishReason.TOOL_CALLS);
  }

  @Test
  void failsOnceAndGoesOn() {
    ScriptedModel model =
        new ScriptedModel()
            .fails(ModelException.Kind.RATE_LIMITED, Duration.ofSeconds(2))
            .says("Hello.");

    assertThatThrownBy(() -> ask(model))
        .isInstanceOfSatisfying(
            ModelException.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(ModelException.Kind.RATE_LIMITED);
              assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(2));
              assertThat(failure).hasMessage("the script says RATE_LIMITED");
            });
    assertThat(ask(model).text()).isEqualTo("Hello.");
  }

  @Test
  void breaksOffInTheMiddleOfItsWords() {
    List<String> heard = new ArrayList<>();
    ScriptedModel model =
        new ScriptedModel().says("There is ").and().fails(ModelException.Kind.BROKEN);

    assertThatThrownBy(() -> model.reply(HELLO, new ReplyStream(heard::add)))
        .isInstanceOf(ModelException.class);
    assertThat(heard).containsExactly("There is ");
  }

  @Test
  void repliesWhatTheRequestMakesIt() {
    ScriptedModel model =
        new ScriptedModel()
            .answers(request -> ModelReply.text(request.messages().size() + " message"))
            .replies(
                new ModelReply(
                    "cut", List.of(), ModelReply.FinishReason.LENGTH, new ModelReply.Usage(7, 2)));

    assertThat(ask(model).text()).isEqualTo("1 message");
    assertThat(ask(model).usage()).isEqualTo(new ModelReply.Usage(7, 2));
  }

  @Test
  void keepsWhatItWasAsked() {
    ScriptedModel model = new ScriptedModel().says("One.").says("Two.");
    ModelRequest second = ModelRequest.of(new Message.User("and now?"));
    ask(model);
    model.reply(second, ReplyStream.unheard());

    assertThat(model.requests()).containsExactly(HELLO, second);
    assertThat(model.lastRequest()).isEqualTo(second);
  }

  @Test
  void hasNoLastRequestBeforeItWasAsked() {
    assertThatThrownBy(() -> new ScriptedModel().lastRequest())
        .isInstanceOf(AssertionError.class)
        .hasMessage("the model was never asked");
  }

  @Test
  void saysWhenItIsAskedMoreOftenThanItsScript() {
    ScriptedModel model = new ScriptedModel().says("One.");
    ask(model);

    assertThatThrownBy(() -> ask(model))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "the script has 1 reply, but the model was asked 2 times; "
                + "the last message: {\"role\":\"user\",\"text\":\"hello\"}");
  }

  @Test
  void saysWhichReplyWasNotUsed() {
    ScriptedModel model =
        new ScriptedModel().says("One.").says("Two.").and().calls("check", "{}").blocks();
    ask(model);

    assertThatThrownBy(model::assertDone)
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "the script has 3 replies, but the model was asked once; "
                + "next would be [the words \"Two.\", a call of check]");
  }

  @Test
  void isCalledScripted() {
    assertThat(new ScriptedModel().name()).isEqualTo("scripted");
  }
}
