package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What user and host learn of a model that fails, or says nothing.
class ModelInTroubleTest extends ScriptedTalk {
  private static final String NOTHING = "The language model gave no answer. Please try again.";

  private static ModelReply reply(String text, ModelReply.FinishReason finish) {
    return new ModelReply(text, List.of(), finish, new ModelReply.Usage(10, 1));
  }

  private List<String> agentEvents() {
    return events.stream()
        .filter(Event.AgentEvent.class::isInstance)
        .map(event -> event.json().text())
        .filter(text -> !text.contains("conversation_started"))
        .toList();
  }

  private static String retry(int attempt, int afterMs, String reason) {
    return "{\"type\":\"agent\",\"event\":\"model_retry\",\"payload\":{\"attempt\":%d,\"of\":3,\"after_ms\":%d,\"reason\":\"%s\"}}"
        .formatted(attempt, afterMs, reason);
  }

  @Test
  void tellsTheHostThatTheModelIsAskedAgain() {
    model.fails(Kind.RATE_LIMITED, Duration.ofSeconds(2)).fails(Kind.UNAVAILABLE).says("There.");

    assertThat(talk().say("Hi", events::add)).isEqualTo(new Turn.Reply("There."));
    assertThat(agentEvents())
        .containsExactly(retry(2, 2000, "rate_limited"), retry(3, 1000, "unavailable"));
  }

  @Test
  void theLogNamesAgentAndConversation() {
    List<String> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(AgentLoop.class.getName());
    logger.setFilter(line -> {
      if (line.getLevel().equals(Level.WARNING)) {
        logged.add(line.getMessage());
      }
      return false;
    });
    try {
      model
          .fails(Kind.UNAVAILABLE)
          .fails(Kind.UNAVAILABLE)
          .replies(reply("Half", ModelReply.FinishReason.LENGTH))
          .replies(reply("Half", ModelReply.FinishReason.FILTERED))
          .replies(reply("", ModelReply.FinishReason.FILTERED));
      Conversation talk = talk();
      talk.say("Hi");
      talk.say("And?");
      talk.say("And now?");
    } finally {
      logger.setFilter(null);
    }

    assertThat(logged)
        .hasSize(4)
        .allMatch(line -> line.matches("agent '[^']+', conversation '[^']+': .*"));
    assertThat(logged.get(1)).endsWith("the reply was cut at the model's limit");
    assertThat(logged.get(2)).endsWith("the provider held words of the reply back");
  }

  @Test
  void tellsOfNoAttemptThatDoesNotCome() {
    model.fails(Kind.REFUSED);

    assertThat(talk().say("Hi", events::add)).isInstanceOf(Turn.Stopped.class);
    assertThat(agentEvents()).isEmpty();
  }

  @Test
  void isCancelledInThePauseBetweenTwoAttempts() {
    model.fails(Kind.UNAVAILABLE).says("never");
    Conversation talk = talk();

    Turn turn =
        talk.say(
            "Hi",
            event -> {
              if (event instanceof Event.AgentEvent(var word, var payload)
                  && word.equals("model_retry")) {
                talk.cancel();
              }
            });

    assertThat(reason(turn)).isEqualTo(StopReason.CANCELLED);
    assertThat(model.requests()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = "FILTERED", mode = EnumSource.Mode.EXCLUDE)
  void asksOnceMoreForAnEmptyReply(ModelReply.FinishReason finish) {
    for (String text : List.of("", " \n\t")) {
      model.replies(reply(text, finish)).replies(reply("There.", ModelReply.FinishReason.STOP));
      Conversation talk = agent().build().conversation(finish + text);

      assertThat(talk.say("Hi", events::add)).isEqualTo(new Turn.Reply("There."));
      assertThat(talk.history())
          .containsExactly(new Message.User("Hi"), new Message.Assistant("There.", List.of()));
      assertThat(model.lastRequest()).isEqualTo(model.requests().get(model.requests().size() - 2));
      assertThat(agentEvents()).containsExactly(retry(2, 0, "empty"));
      assertThat(events.getLast().json().text()).contains("\"usage\":{\"input\":20,\"output\":2}");
      events.clear();
    }
  }

  @ParameterizedTest
  @EnumSource(names = "FILTERED", mode = EnumSource.Mode.EXCLUDE)
  void saysThatThereIsNoAnswerWhereItIsEmptyAgain(ModelReply.FinishReason finish) {
    model.replies(reply("", finish)).replies(reply(" \n", finish)).says("Next.");
    Conversation talk = talk();

    assertThat(talk.say("Hi", events::add))
        .isEqualTo(new Turn.Stopped(StopReason.MODEL_ERROR, NOTHING, Kind.EMPTY));
    assertThat(events.get(events.size() - 2).json().text())
        .isEqualTo(
            "{\"type\":\"error\",\"message\":\"%s\",\"code\":\"model_error\",\"cause\":\"empty\"}"
                .formatted(NOTHING));
    assertThat(talk.history()).endsWith(new Message.Assistant(NOTHING, List.of()));
    assertThat(talk.say("And now?")).isEqualTo(new Turn.Reply("Next."));
  }

  @Test
  void asksOnceMoreForTheCallThatAReplyAnnounces() {
    model
        .replies(reply("Let me look.", ModelReply.FinishReason.TOOL_CALLS))
        .calls("get_it", "{}")
        .says("Found.");

    assertThat(talk(tool("get_it")).say("Hi")).isEqualTo(new Turn.Reply("Found."));
    assertThat(ran).containsExactly("get_it");
  }

  @Test
  void takesTheWordsWhereTheAnnouncedCallDoesNotComeTwice() {
    model
        .replies(reply("Let me look.", ModelReply.FinishReason.TOOL_CALLS))
        .replies(reply("Let me see.", ModelReply.FinishReason.TOOL_CALLS));

    assertThat(talk().say("Hi")).isEqualTo(new Turn.Reply("Let me see."));
  }

  @Test
  void takesNoWordsBackThatWereHeard() {
    model.replies(reply("Let me look.", ModelReply.FinishReason.TOOL_CALLS)).says("never");

    assertThat(talk().say("Hi", events::add)).isEqualTo(new Turn.Reply("Let me look."));
    assertThat(agentEvents())
        .containsExactly(
            "{\"type\":\"agent\",\"event\":\"incomplete_reply\",\"payload\":{\"reason\":\"tool_calls\"}}");
    assertThat(model.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n"})
  void saysThatTheProviderHeldTheAnswerBack(String text) {
    model.replies(reply(text, ModelReply.FinishReason.FILTERED));

    assertThat(talk().say("Hi", events::add))
        .isEqualTo(
            new Turn.Stopped(
                StopReason.MODEL_ERROR,
                "The language model's provider held the answer back. Please put it in other words.",
                Kind.FILTERED));
    assertThat(events.get(events.size() - 2).json().text()).contains("\"cause\":\"filtered\"");
    model.assertDone();
  }

  @ParameterizedTest
  @CsvSource({"LENGTH,length", "FILTERED,filtered"})
  void tellsTheHostThatAReplyIsCut(ModelReply.FinishReason finish, String word) {
    model.replies(reply("It was a dark and", finish));

    assertThat(talk().say("Tell me", events::add)).isEqualTo(new Turn.Reply("It was a dark and"));
    assertThat(agentEvents())
        .containsExactly(
            "{\"type\":\"agent\",\"event\":\"incomplete_reply\",\"payload\":{\"reason\":\"%s\"}}"
                .formatted(word));
  }

  @Test
  void joinsSplitSurrogatePairsAndRepairsHalves() {
    model.says("a\ud83d", "\ude00b", "\ud83d").says("\ude00").says("Next.");
    Conversation talk = talk();

    assertThat(talk.say("Hi", events::add)).isEqualTo(new Turn.Reply("a\ud83d\ude00b\ufffd"));
    assertThat(events)
        .filteredOn(Event.Content.class::isInstance)
        .containsExactly(
            new Event.Content("a"),
            new Event.Content("\ud83d\ude00b"),
            new Event.Content("\ufffd"));
    assertThat(talk.say("And?")).isEqualTo(new Turn.Reply("\ufffd"));
    assertThat(talk.say("And?")).isEqualTo(new Turn.Reply("Next."));
  }

  @Test
  void tellsOfACutReplyWithCallsToo() {
    RequestedCall call = RequestedCall.of("a", "get_it", "{\"n\":1");
    model
        .replies(
            new ModelReply(
                "", List.of(call), ModelReply.FinishReason.LENGTH, ModelReply.Usage.NONE))
        .says("Once more.");

    assertThat(talk(tool("get_it")).say("Go", events::add)).isEqualTo(new Turn.Reply("Once more."));
    assertThat(agentEvents()).singleElement().asString().contains("\"reason\":\"length\"");
    assertThat(ran).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "RATE_LIMITED,Please try again later.",
    "UNAVAILABLE,Please try again later.",
    "BROKEN,Please try again later.",
    "REFUSED,Trying again will not help"
  })
  void tellsWhatPassesFromWhatDoesNot(Kind kind, String words) {
    model.fails(kind).fails(kind).fails(kind);
    Turn.Stopped stopped = (Turn.Stopped) talk().say("Hi", events::add);

    assertThat(stopped.text()).contains(words);
    assertThat(stopped.cause()).isEqualTo(kind);
    assertThat(events.get(events.size() - 2).json().tree().path("cause").asString())
        .isEqualTo(kind.word());
  }

  @Test
  void namesTheCauseOfATimeout() {
    model.fails(Kind.TIMEOUT);
    Turn.Stopped stopped = (Turn.Stopped) talk().say("Hi");

    assertThat(stopped.reason()).isEqualTo(StopReason.MODEL_TIMEOUT);
    assertThat(stopped.cause()).isEqualTo(Kind.TIMEOUT);
  }

  @Test
  void namesTheCauseAfterARestartToo() {
    InProcessConversations store = new InProcessConversations();
    Input input = new Input.Said("a", "Hi");
    model.fails(Kind.REFUSED);
    Turn first = agent().store(store).build().conversation("c").take(input, null);
    Turn again = agent().store(store).build().conversation("c").take(input, null);

    assertThat(again).isEqualTo(first);
    assertThat(((Turn.Stopped) again).cause()).isEqualTo(Kind.REFUSED);
  }

  @Test
  void namesNoCauseWhereTheUserEndsIt() {
    model.blocks().and().says("late");
    Conversation talk = talk();
    CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> talk.say("Hi"));
    model.awaitRequests(1);
    talk.cancel();

    assertThat(((Turn.Stopped) turn.join()).cause()).isNull();
  }
}
