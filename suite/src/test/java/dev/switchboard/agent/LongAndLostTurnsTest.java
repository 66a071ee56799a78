package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Turns that are too long to be remembered whole, and turns that are taken up.
class LongAndLostTurnsTest {
  private final ManualTime time = new ManualTime();
  private static final int LONG = 5_000_000;

  private final ScriptedModel model = new ScriptedModel();
  private final List<String> ran = new CopyOnWriteArrayList<>();

  private Tool local() {
    return Tool.dynamic("local_run")
        .handler(arguments -> {
          ran.add("local_run");
          return "done";
        });
  }

  @Test
  void runsNoCallAgainWhoseResultWasTooBigToRemember() {
    Tool big =
        Tool.dynamic("get_big")
            .resultLimit(LONG)
            .parallel(false)
            .handler(arguments -> {
              ran.add("get_big");
              return "x".repeat(LONG);
            });
    model
        .calls("get_big", "{\"n\":1}")
        .and()
        .calls("get_big", "{\"n\":2}")
        .and()
        .calls("local_run", "{}")
        .says("All done.");
    Conversation talk =
        Agent.builder("test").model(model).tools(big, local()).build().conversation("c");
    Turn.Pending pending = (Turn.Pending) talk.say("Go");

    assertThat(talk.answer(pending.requests().getFirst(), Answer.approveOnce()))
        .isEqualTo(new Turn.Reply("All done."));
    assertThat(ran).containsExactly("get_big", "get_big", "local_run");
  }

  @Test
  void doesNotRepeatStartToolThatFailedBeforeCrash() {
    for (int writes = 1; writes < 20; writes++) {
      ran.clear();
      InProcessConversations durable = new InProcessConversations();
      try {
        Turn unused = starting(new DyingStore(durable, writes)).say("Go");
      } catch (DyingStore.Killed e) {
        time.advance(LeaseTerms.LENGTH);
        Conversation talk = starting(new DyingStore(durable, -1));
        Turn turn = talk.resume();
        assertThat(turn == null && talk.state().turn() == 0 ? talk.say("Go") : turn)
            .isIn(new Turn.Reply("Sorry."), null);
      }

      assertThat(ran).as("killed after write %d", writes).containsExactly("load_it");
    }
  }

  @Test
  void asksNoOneAboutACallThatRanBeforeTheProcessDied() {
    for (int writes = 1; writes < 25; writes++) {
      InProcessConversations durable = new InProcessConversations();
      ManualTime time = new ManualTime();
      try {
        approveAll(asking(new DyingStore(durable, writes), time));
      } catch (DyingStore.Killed e) {
        time.advance(Duration.ofMinutes(1));
        approveAll(asking(new DyingStore(durable, -1), time));
      }
      time.advance(Duration.ofMinutes(1));

      assertThat(asking(new DyingStore(durable, -1), time).waiting())
          .as("killed after write %d", writes)
          .isEmpty();
    }
  }

  private static void approveAll(Conversation talk) {
    Turn turn = talk.resume();
    while (turn == null || turn instanceof Turn.Pending) {
      turn =
          turn instanceof Turn.Pending(var requests)
              ? talk.answer(requests.getFirst(), Answer.approveOnce())
              : talk.say("Go");
    }
  }

  private static Conversation asking(DyingStore store, ManualTime time) {
    return Agent.builder("test")
        .model(
            ScriptedModel.answering(request ->
                request.messages().getLast() instanceof Message.User
                    ? ModelReply.calls(RequestedCall.of("", "local_run", "{}"))
                    : ModelReply.text("Ran.")))
        .tools(Tool.dynamic("local_run").handler(arguments -> "done"))
        .store(store)
        .time(time)
        .build()
        .conversation("c");
  }

  private Conversation starting(DyingStore store) {
    Tool load =
        Tool.dynamic("load_it")
            .handler((arguments, context) -> {
              store.beginDeed(context.toolCallId());
              ran.add("load_it");
              throw ToolException.permanent("broken");
            });
    return Agent.builder("test")
        .model(ScriptedModel.answering(request -> ModelReply.text("Sorry.")))
        .tools(load)
        .rules(ToolRule.startWith("load_it"))
        .store(store)
        .time(time)
        .build()
        .conversation("c");
  }

  @Test
  void readsNoHalfTurnOfAVeryLongTranscript() {
    InProcessConversations store = new InProcessConversations();
    Transcript whole =
        new Transcript(
            ToolSession.builder("c").store(store).build(), tool -> false, store, Time.SYSTEM, null);
    for (int turn = 1; turn <= 700; turn++) {
      write(whole, turn);
    }
    List<Message> read =
        new Transcript(
                ToolSession.builder("c").store(store).build(),
                tool -> false,
                store,
                Time.SYSTEM,
                null)
            .history()
            .messages();

    assertThat(read).hasSizeGreaterThan(1900).first().isInstanceOf(Message.User.class);
  }

  private static void write(Transcript transcript, int turn) {
    String key = "turn" + turn + "/";
    String id = "call_" + turn;
    TranscriptEntry.Said said = new TranscriptEntry.Said(id, "Go", null, turn);
    ModelReply reply = ModelReply.calls(RequestedCall.of(id, "get_it", "{}"));
    Message result = new Message.Result(id, "get_it", "done", true);
    TranscriptEntry.Ended ended =
        new TranscriptEntry.Ended(List.of(result), new LoopDecision.Continue(List.of()));
    TranscriptEntry.Said unused =
        transcript.once(key + "input", TranscriptEntry.Said.class, () -> said);
    TranscriptEntry.Replied replied =
        transcript.once(
            key + "model",
            TranscriptEntry.Replied.class,
            () -> new TranscriptEntry.Replied(reply, List.of(id)));
    assertThat(transcript.once(key + "round", TranscriptEntry.Ended.class, () -> ended))
        .isEqualTo(ended);
    assertThat(replied.calls()).hasSize(1);
  }

  @Test
  void keepsInvalidNamesOutOfTheHistory() {
    model
        .calls("functions.get it", "{}")
        .and()
        .calls("", "{}")
        .and()
        .calls("x".repeat(100), "{}")
        .says("Sorry.");
    Conversation talk = Agent.builder("test").model(model).tools(local()).build().conversation("c");
    talk.say("Go");

    assertThat(model.lastRequest().messages())
        .filteredOn(Message.Assistant.class::isInstance)
        .flatExtracting(message -> ((Message.Assistant) message).calls())
        .hasSize(3)
        .allMatch(call -> call.name().matches("[A-Za-z0-9_-]{1,64}"));
  }
}
