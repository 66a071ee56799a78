package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.PropertySize;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.CarrierEvent.Side;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Calls of text in which everything happens in any order: the caller speaks, interrupts and hangs
/// up, the carrier reports and forgets to, the model replies, calls tools and fails.
final class RelayedFuzzTest {
  private static final int CALLS = PropertySize.of(20_000);
  private static final int STEPS = 25;
  private static final String CUT = " [the caller interrupted here]";
  private static final List<String> WORDS =
      List.of(
          "Yes.", "Your", "order", "42", "left", "Oslo,", "yesterday;", "it", "arrives", "Ünal");

  @Test
  void aCallEndsOnceAndRemembersWhatWasHeard() {
    for (int seed = 1; seed <= CALLS; seed++) {
      Run run = new Run(seed);
      try {
        run.play();
      } catch (AssertionError | RuntimeException thrown) {
        throw new AssertionError("seed " + seed + ": " + run.trace, thrown);
      }
    }
  }

  /// One call.
  private static final class Run {
    private final Random random;
    private final Queue<String> replies = new ConcurrentLinkedQueue<>(); // whole
    private final Queue<ModelRequest> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> ran = new ConcurrentLinkedQueue<>(); // ids of calls
    private final AtomicInteger ids = new AtomicInteger();
    private final PlayedCall call;
    private final List<String> trace = new ArrayList<>();

    Run(int seed) {
      random = new Random(seed);
      Random ofModel = new Random(~seed);
      Agent agent =
          Agent.builder("Shop")
              .firstMessage("Hi!")
              .model(ScriptedModel.answering(request -> reply(request, ofModel)))
              .store(new InProcessConversations())
              .tools(
                  Tool.dynamic("lookup")
                      .mode(ToolMode.READ)
                      .handler((arguments, context) -> {
                        ran.add(context.toolCallId());
                        return "found";
                      }))
              .build();
      call = PlayedCall.relayed(agent, PlayedCall.SETTINGS, new ManualTime());
    }

    private synchronized ModelReply reply(ModelRequest request, Random chance) {
      requests.add(request);
      int kind = chance.nextInt(10);
      if (kind == 0) {
        throw new ModelException(ModelException.Kind.REFUSED, "no", null);
      }
      if (kind < 4 && request.choice() != ModelRequest.ToolChoice.NONE) {
        return ModelReply.calls(RequestedCall.of("p" + ids.incrementAndGet(), "lookup", "{}"));
      }
      List<String> words = new ArrayList<>();
      for (int i = chance.nextInt(12); i >= 0; i--) {
        words.add(WORDS.get(chance.nextInt(WORDS.size())));
      }
      String text = String.join(" ", words);
      replies.add(text);
      return ModelReply.text(text);
    }

    void play() {
      call.relaying();
      for (int i = 0; i < STEPS && call.ended.isEmpty(); i++) {
        step();
      }
      call.carrier(new CarrierEvent.Disconnected());
      call.carrier(new CarrierEvent.Status("completed"));
      call.advance(Duration.ofMinutes(1));
      call.until(() -> !call.ended.isEmpty());
      call.carrier(new CarrierEvent.Status("completed"));
      assertThat(call.ended).hasSize(1);
      assertThat(ran).doesNotHaveDuplicates();
      requests.forEach(this::check);
    }

    private void step() {
      int kind = random.nextInt(9);
      trace.add(String.valueOf(kind));
      switch (kind) {
        case 0, 1 -> call.prompts("Where is it " + random.nextInt(100) + "?");
        case 2 -> call.carrier(new CarrierEvent.Prompted("Whe", null, false));
        case 3 -> call.carrier(new CarrierEvent.Interrupted(heard(), random.nextInt(3_000)));
        case 4 -> call.carrier(new CarrierEvent.Sounding(side(), random.nextBoolean()));
        case 5 -> call.carrier(new CarrierEvent.Pressed('1'));
        case 6 -> call.advance(Duration.ofMillis(random.nextInt(5_000)));
        case 7 -> {
          int before = call.said.size();
          for (int i = 0; i < 1_000 && call.said.size() == before; i++) {
            call.drain();
            Thread.onSpinWait();
          }
        }
        default -> call.drain();
      }
    }

    private Side side() {
      return random.nextBoolean() ? Side.AGENT : Side.CALLER;
    }

    /// Some beginning of what was said last, or something else.
    private String heard() {
      String said = String.join("", call.said);
      String last = said.substring(said.lastIndexOf('|') + 1);
      return random.nextInt(3) == 0
          ? "nothing"
          : last.substring(0, random.nextInt(last.length() + 1));
    }

    /// A request has each result once, after its call, and of each reply a beginning.
    private void check(ModelRequest request) {
      Set<String> open = new HashSet<>();
      for (Message message : request.messages()) {
        switch (message) {
          case Message.Assistant said -> {
            assertThat(open).isEmpty();
            said.calls().forEach(asked -> assertThat(open.add(asked.id())).isTrue());
            checkWords(said.text());
          }
          case Message.Result result -> assertThat(open.remove(result.callId())).isTrue();
          case Message.User user -> {}
          case Message.Notice notice -> {}
          case Message.System system -> {}
        }
      }
      assertThat(open).isEmpty();
    }

    private void checkWords(String text) {
      String heard = text.endsWith(CUT) ? text.substring(0, text.length() - CUT.length()) : text;
      boolean known =
          heard.isEmpty()
              || heard.equals("Hi!")
              || heard.equals(PlayedCall.SETTINGS.words().of(CallSettings.Phrase.FAILED))
              || replies.stream().anyMatch(reply -> reply.startsWith(heard));
      assertThat(known).as("words that were said: '%s' of %s", text, replies).isTrue();
    }
  }
}
