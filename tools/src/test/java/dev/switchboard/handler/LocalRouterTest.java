package dev.switchboard.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalRouterTest {
  private final ManualTime time = new ManualTime();
  private final LocalRouter router = new LocalRouter(time);
  private final List<String> taken = new ArrayList<>();

  private Delivery send(String from, String type, String id) {
    return router.send(new Letter("1", from, "c1", new Target(type, id), "Hi", null, null));
  }

  private Delivery take(Letter letter) {
    taken.add(letter.from() + ">" + letter.target().id());
    return Delivery.DONE;
  }

  @Test
  void theBrakeIsForTwoAgentsAlone() {
    router.agent("x", this::take).agent("y", this::take).user(this::take);

    assertThat(send("a", "agent", "x")).isEqualTo(Delivery.DONE);
    assertThat(send("b", "agent", "x")).isEqualTo(Delivery.DONE);
    assertThat(send("a", "agent", "y")).isEqualTo(Delivery.DONE);
    assertThat(send("x", "agent", "x").delivered()).isEqualTo(1);
    assertThat(send("a", "user", "")).isEqualTo(Delivery.DONE);
    assertThat(send("a", "user", "any")).isEqualTo(Delivery.DONE);
    assertThat(send("a", "agent", "x").problem()).contains("try again in 30 s");
    assertThat(taken).containsExactly("a>x", "b>x", "a>y", "x>x", "a>", "a>any");
  }

  @Test
  void whatWasNotDeliveredDoesNotBrake() {
    router.agent("x", letter -> Delivery.failed("its queue is full"));
    assertThat(send("a", "agent", "x").problem()).isEqualTo("its queue is full");
    router.agent("x", this::take);

    assertThat(send("a", "agent", "x")).isEqualTo(Delivery.DONE);
  }

  @Test
  void aGroupReachesItsAgentsThroughTheBrake() {
    router.agent("x", this::take).channel("ops", this::take);
    router.group("team", List.of(new Target("agent", "x"), new Target("channel", "ops")));
    assertThat(send("a", "agent", "x")).isEqualTo(Delivery.DONE);

    Delivery all = send("a", "group", "team");

    assertThat(all.delivered()).isEqualTo(1);
    assertThat(all.failed()).isEqualTo(1);
    assertThat(all.problem()).contains("agent 'x' was written to a moment ago");
    assertThat(send("a", "group", "nobody").problem()).isEqualTo("there is no group 'nobody'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", "group", "channel"})
  void aTargetWithoutAnIdIsToldWhatIsMissing(String type) {
    assertThat(send("a", type, "").problem())
        .isEqualTo("the target needs an 'id' that names the " + type);
    assertThat(send("a", type, "x").problem()).isEqualTo("there is no " + type + " 'x'");
  }

  @Test
  void saysWhatAnUnknownTargetLacks() {
    router.group("empty", List.of());

    assertThat(send("a", "user", "").problem()).isEqualTo("the user cannot be reached here");
    assertThat(send("a", "group", "empty").problem()).isEqualTo("the group 'empty' has no members");
  }

  @Test
  void aGroupNamesAllMembersThatWereNotReached() {
    router.group("team", List.of(new Target("agent", "x"), new Target("channel", "ops")));

    assertThat(send("a", "group", "team"))
        .isEqualTo(new Delivery(0, 2, "there is no agent 'x'; there is no channel 'ops'"));
  }

  @Test
  void ofManyAtATimeOnePassesTheBrake() throws Exception {
    router.agent("x", letter -> Delivery.DONE);
    List<Callable<Delivery>> work =
        IntStream.range(0, 64)
            .mapToObj(i -> (Callable<Delivery>) () -> send("a", "agent", "x"))
            .toList();
    int delivered = 0;
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var one : senders.invokeAll(work)) {
        delivered += one.get().delivered();
      }
    }
    assertThat(delivered).isEqualTo(1);
  }

  @Test
  void aLateFailureTakesNoLaterBrakeAway() {
    router.agent(
        "x",
        letter -> {
          time.advance(LocalRouter.BRAKE);
          router.agent("x", this::take);
          assertThat(send("a", "agent", "x")).isEqualTo(Delivery.DONE);
          return Delivery.failed("it took too long");
        });

    assertThat(send("a", "agent", "x").problem()).isEqualTo("it took too long");
    assertThat(send("a", "agent", "x").problem()).contains("try again in 30 s");
  }
}
