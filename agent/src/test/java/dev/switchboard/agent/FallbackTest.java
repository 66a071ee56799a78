package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FallbackTest extends ScriptedTalk {
  private final ScriptedModel second = new ScriptedModel(time);
  private final ScriptedModel third = new ScriptedModel(time);

  /// A model under a name, which may make no structured replies itself.
  private record Named(String name, ChatModel model, boolean formats) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      return model.reply(request, stream);
    }

    @Override
    public boolean makes(ModelRequest.ReplyFormat format) {
      return formats;
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }
  }

  record Count(int n) {}

  private AgentBuilder three(dev.switchboard.handler.Tool... tools) {
    return agent(tools)
        .model(new Named("first", model, true))
        .fallback(new Named("second", second, false), new Named("third", third, true));
  }

  private List<String> fallbacks() {
    return events.stream()
        .filter(event ->
            event instanceof Event.AgentEvent(var word, var payload)
                && word.equals("model_fallback"))
        .map(event -> event.json().tree().path("payload").toString())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void isAskedWhereTheFailureIsOfTheProviderAndNotOfTheRequest(Kind kind) {
    model.fails(kind);
    second.says("Hello.");
    Turn turn = three().build().conversation("c").say("Hi", events::add);

    boolean asked =
        List.of(
                Kind.RATE_LIMITED,
                Kind.UNAVAILABLE,
                Kind.BROKEN,
                Kind.TIMEOUT,
                Kind.TOO_LONG,
                Kind.UNSUPPORTED,
                Kind.NOT_FOUND,
                Kind.DENIED,
                Kind.EMPTY)
            .contains(kind);
    assertThat(turn instanceof Turn.Reply).isEqualTo(asked);
    assertThat(second.requests()).hasSize(asked ? 1 : 0);
    assertThat(model.requests()).hasSize(1);
    assertThat(fallbacks())
        .isEqualTo(
            asked
                ? List.of(
                    "{\"from\":\"first\",\"to\":\"second\",\"reason\":\"%s\"}"
                        .formatted(kind.word()))
                : List.of());
  }

  @Test
  void theLastIsAskedAgainAsOneAlone() {
    model.fails(Kind.UNAVAILABLE);
    second.fails(Kind.RATE_LIMITED, Duration.ofMinutes(5));
    third.fails(Kind.UNAVAILABLE).fails(Kind.UNAVAILABLE).says("Hello.");

    assertThat(three().build().conversation("c").say("Hi", events::add))
        .isEqualTo(new Turn.Reply("Hello."));
    assertThat(time.pauses()).containsExactly(Duration.ofMillis(500), Duration.ofSeconds(1));
    assertThat(fallbacks()).hasSize(2);
  }

  @Test
  void whereAllFailTheLastSaysWhy() {
    model.fails(Kind.UNAVAILABLE);
    second.fails(Kind.TIMEOUT);
    third.fails(Kind.DENIED);

    assertThat(three().build().conversation("c").say("Hi"))
        .isEqualTo(
            new Turn.Stopped(
                StopReason.MODEL_ERROR,
                "The language model's service refused the request. Trying again will not help: the"
                    + " operator of this assistant has to look into it.",
                Kind.DENIED));
  }

  @Test
  void isNotAskedAfterWordsWereShown() {
    model.says("Let me ").and().fails(Kind.BROKEN);

    assertThat(reason(three().build().conversation("c").say("Hi", events::add)))
        .isEqualTo(StopReason.MODEL_ERROR);
    assertThat(second.requests()).isEmpty();
  }

  @Test
  void isAskedAfterWordsThatNoOneSaw() {
    model.says("Let me ").and().fails(Kind.BROKEN);
    second.says("Hello.");

    assertThat(three().build().conversation("c").say("Hi")).isEqualTo(new Turn.Reply("Hello."));
  }

  @Test
  void keepsFallbackModelUntilTheTurnEnds() {
    model.fails(Kind.UNAVAILABLE).says("I am back.");
    second.calls("get_it", "{}").calls("get_it", "{\"n\":1}").fails(Kind.UNAVAILABLE);
    third.calls("get_it", "{\"n\":2}").says("Done.");
    Conversation talk = three(tool("get_it")).build().conversation("c");

    assertThat(talk.say("Hi", events::add)).isEqualTo(new Turn.Reply("Done."));
    assertThat(model.requests()).hasSize(1);
    assertThat(second.requests()).hasSize(3);
    assertThat(third.requests()).hasSize(2);
    assertThat(talk.say("Again")).isEqualTo(new Turn.Reply("I am back."));
  }

  @Test
  void journalNamesFallbackModelThatAnswered() {
    InProcessConversations store = new InProcessConversations();
    model.says("One.").fails(Kind.UNAVAILABLE);
    second.says("Two.");
    Conversation talk = three().store(store).build().conversation("c");
    var unused = List.of(talk.say("Hi"), talk.say("Hi"));

    assertThat(
            store.lines("c", 100).stream()
                .map(Line::entry)
                .map(line -> line.tree())
                .filter(line -> line.path("type").asString().equals("replied"))
                .map(line -> line.path("model").asString("first")))
        .containsExactly("first", "second");
  }

  @Test
  void eachHasTheWholeTimeOfAQuestion() {
    model.waits(Duration.ofMinutes(1));
    second.waits(Duration.ofSeconds(29)).and().says("Late, and in time.");
    Thread clock =
        Thread.ofVirtual()
            .start(() -> {
              model.awaitRequests(1);
              time.awaitSleepers(2);
              time.advance(Duration.ofSeconds(30));
              second.awaitRequests(1);
              time.awaitSleepers(2);
              time.advance(Duration.ofSeconds(29));
            });

    assertThat(
            three()
                .limits(AgentLimits.DEFAULT.withModelTimeout(Duration.ofSeconds(30)))
                .build()
                .conversation("c")
                .say("Hi", events::add))
        .isEqualTo(new Turn.Reply("Late, and in time."));
    clock.interrupt();
    assertThat(fallbacks()).hasSize(1).first().asString().contains("timeout");
  }

  @Test
  void aStructuredReplyIsMadeByTheMeansOfEach() {
    model.fails(Kind.UNAVAILABLE).says("{\"n\":2}");
    second.calls("final_reply", "{\"n\":1}");
    Conversation talk = three().build().conversation("c");

    assertThat(talk.ask("Hi", Count.class)).isEqualTo(new Count(1));
    assertThat(talk.ask("Hi", Count.class)).isEqualTo(new Count(2));
    assertThat(model.lastRequest().format()).isNotNull();
    assertThat(second.lastRequest().format()).isNull();
  }

  @Test
  void aCancelledTurnAsksNoOther() {
    model.blocks();
    Conversation talk = three().build().conversation("c");
    Thread canceller =
        Thread.ofVirtual()
            .start(() -> {
              model.awaitRequests(1);
              talk.cancel();
            });

    assertThat(reason(talk.say("Hi"))).isEqualTo(StopReason.CANCELLED);
    canceller.interrupt();
    assertThat(second.requests()).isEmpty();
  }
}
