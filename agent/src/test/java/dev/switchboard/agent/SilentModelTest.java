package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How long a model may be silent, however long its reply takes.
class SilentModelTest {
  private final ManualTime time = new ManualTime();
  private final List<Event> events = new CopyOnWriteArrayList<>();

  /// A model that does this before it says `Done.`, on the thread of its caller or on its own.
  private record Working(Consumer<ReplyStream> work, boolean endsWhenCancelled, boolean reasons)
      implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      work.accept(stream);
      if (stream.cancelled()) {
        throw new ModelException(Kind.CANCELLED, "It was told to stop.", null);
      }
      return ModelReply.text("Done.");
    }
  }

  private Turn turn(ChatModel model, AgentLimits limits) {
    return Agent.builder("a")
        .model(model)
        .time(time)
        .limits(limits)
        .build()
        .conversation("c")
        .say("Hi", events::add);
  }

  private static StopReason reason(Turn turn) {
    return ((Turn.Stopped) turn).reason();
  }

  /// A minute of work with a sign of life from time to time.
  private Consumer<ReplyStream> working(int seconds, Consumer<ReplyStream> sign) {
    return stream -> {
      for (int i = 0; i < 60 && !stream.cancelled(); i += seconds) {
        time.advance(Duration.ofSeconds(seconds));
        sign.accept(stream);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mayTakeLongAsLongAsItShowsThatItWorks(boolean here) {
    for (Consumer<ReplyStream> sign :
        List.<Consumer<ReplyStream>>of(ReplyStream::alive, stream -> stream.text("."))) {
      assertThat(turn(new Working(working(29, sign), here, false), AgentLimits.DEFAULT))
          .isEqualTo(new Turn.Reply("Done."));
    }
    assertThat(time.alarms()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isCutOffWhereItIsSilentForTooLong(boolean here) {
    Consumer<ReplyStream> work =
        stream -> {
          time.advance(Duration.ofSeconds(29));
          stream.alive();
          time.advance(Duration.ofSeconds(30));
          CountDownLatch cut = new CountDownLatch(1);
          stream.onCancel(cut::countDown);
          awaitUninterruptibly(cut);
          stream.alive();
        };

    assertThat(reason(turn(new Working(work, here, false), AgentLimits.DEFAULT)))
        .isEqualTo(StopReason.MODEL_TIMEOUT);
    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(59));
    assertThat(time.alarms()).isZero();
  }

  private static void awaitUninterruptibly(CountDownLatch cut) {
    boolean interrupted = false;
    while (cut.getCount() > 0) {
      try {
        cut.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @CsvSource({"false,,30", "true,,120", "false,50,50", "true,50,50"})
  void hasTheUsualTimeUnlessItIsStated(boolean reasons, Integer stated, int seconds) {
    AgentLimits limits =
        stated == null
            ? AgentLimits.DEFAULT
            : AgentLimits.DEFAULT.withModelTimeout(Duration.ofSeconds(stated));
    for (int silence : new int[] {seconds - 1, seconds}) {
      Consumer<ReplyStream> work = stream -> time.advance(Duration.ofSeconds(silence));
      Turn turn = turn(new Working(work, true, reasons), limits);

      assertThat(turn instanceof Turn.Reply).isEqualTo(silence < seconds);
    }
  }

  @Test
  void aSilentModelHasNoMoreTimeForItsNextAttempt() {
    List<Long> asked = new ArrayList<>();
    Consumer<ReplyStream> work =
        stream -> {
          asked.add(time.elapsed().toSeconds());
          time.advance(Duration.ofSeconds(20));
          if (!stream.cancelled()) {
            throw new ModelException(Kind.UNAVAILABLE, "Down.", null);
          }
        };

    assertThat(reason(turn(new Working(work, true, false), AgentLimits.DEFAULT)))
        .isEqualTo(StopReason.MODEL_TIMEOUT);
    assertThat(asked).containsExactly(0L, 20L);
  }

  @ParameterizedTest
  @CsvSource({"true,2", "false,1"})
  void isAskedAgainAsItsServiceSays(boolean again, int times) {
    List<Kind> asked = new ArrayList<>();
    Consumer<ReplyStream> work =
        stream -> {
          Kind kind = again ? Kind.REFUSED : Kind.UNAVAILABLE;
          asked.add(kind);
          if (asked.size() == 1) {
            throw new ModelException(kind, "No.", null).withPassing(again);
          }
        };

    Turn turn = turn(new Working(work, true, false), AgentLimits.DEFAULT);

    assertThat(asked).hasSize(times);
    assertThat(turn instanceof Turn.Reply).isEqualTo(again);
  }

  @Test
  void doesNotWaitLongerThanItsTime() {
    Consumer<ReplyStream> work =
        stream -> {
          throw new ModelException(Kind.RATE_LIMITED, "No.", Duration.ofSeconds(30), null);
        };

    assertThat(reason(turn(new Working(work, true, false), AgentLimits.DEFAULT)))
        .isEqualTo(StopReason.MODEL_ERROR);
    assertThat(time.pauses()).isEmpty();
  }

  @Test
  void saysOnceATurnThatReasoningWasDropped() {
    Consumer<ReplyStream> work =
        stream -> {
          stream.dropped("refused" + "!".repeat(500));
          stream.dropped("prefix_binding_mismatch");
        };
    Conversation talk =
        Agent.builder("a")
            .model(new Working(work, true, false))
            .time(time)
            .build()
            .conversation("c");

    talk.say("Hi", events::add);
    assertThat(dropped())
        .containsExactly(
            "{\"type\":\"agent\",\"event\":\"reasoning_dropped\",\"payload\":{\"reason\":\"refused"
                + "!".repeat(193)
                + "\"}}");
    talk.say("And?", events::add);
    assertThat(dropped()).hasSize(2);
  }

  private List<String> dropped() {
    return events.stream()
        .map(event -> event.json().text())
        .filter(text -> text.contains("reasoning_dropped"))
        .toList();
  }
}
