package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.chaos.Desk.Version;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.loop.Input;
import dev.switchboard.tool.ResultCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two deployments while approvals wait, of which the first has another rule: each conversation
/// goes on by the rules of the worker that takes its answer.
@Tag("slow")
class ChangedRuleChaosTest {
  private static final int TALKS = 4;
  private static final String CONSENT = "{ RequiresConsent = { bind = [\"bill\"] } }";
  private static final Version FIRST = Version.FIRST.with(CONSENT);

  @TempDir private Path folder;

  /// A version of the agent's file, and what an approved call comes to under it.
  private record Change(String what, Version version, @Nullable ResultCode code) {}

  private static final List<Change> CHANGES =
      List.of(
          new Change("forbidden", FIRST.with("\"Forbidden\""), ResultCode.RULE_VIOLATION),
          new Change("none left", FIRST.with("{ MaxCalls = 0 }"), ResultCode.RULE_VIOLATION),
          new Change(
              "argument limited",
              new Version("{ type = \"string\", maxLength = 2 }", FIRST.rules()),
              ResultCode.INVALID_ARGUMENTS),
          new Change("consent as another", Version.FIRST.with("\"RequiresConsent\""), null),
          new Change("free", Version.FIRST, null));

  @Test
  void approvalCoversShownArgumentsUnderCurrentRules() throws Exception {
    try (Desk desk = new Desk(folder, "at_least_once")) {
      desk.start("a", desk.database.port(), FIRST).awaitStart();
      Trials.run(
          "two deployments with a changed rule while approvals wait",
          "stopped workers end by themselves; what the rules refuse is not done, approved and"
              + " denied alike answered once, after the second deployment paid once as it was"
              + " shown",
          desk.payments::again,
          random -> trial(desk, random));
    }
  }

  private static Duration trial(Desk desk, SplittableRandom random) {
    Change change = CHANGES.get(random.nextInt(CHANGES.size()));
    List<String> said = Stream.generate(desk::sayOne).limit(TALKS).toList();
    List<ConsentRequest> asked = said.stream().map(desk::awaitRequest).toList();
    Duration first = deployed(desk, random, change.version, asked.getFirst());
    checkAnswered(desk, asked.getFirst(), change.code);
    Duration second = deployed(desk, random, FIRST, asked.get(1));
    checkAnswered(desk, asked.get(1), null);
    answer(desk, asked.get(2), Answer.deny("no"));
    checkAnswered(desk, asked.get(2), ResultCode.CONSENT_DENIED);
    answer(desk, asked.get(3), Answer.approveOnce());
    checkAnswered(desk, asked.get(3), null);
    return first.compareTo(second) > 0 ? first : second;
  }

  /// Has a worker of that version take the place of the other, and a request approved before that
  /// is done or after it; how long the conversation took to its end.
  private static Duration deployed(
      Desk desk, SplittableRandom random, Version version, ConsentRequest request) {
    long begin = System.nanoTime();
    assertThat(desk.worker("a").end()).as("the worker's exit code").isZero();
    boolean before = random.nextBoolean();
    if (before) {
      answer(desk, request, Answer.approveOnce());
    }
    WorkerProcess next = desk.start("a", desk.database.port(), version).awaitStart();
    if (!before) {
      answer(desk, request, Answer.approveOnce());
    }
    desk.awaitEnd(request.conversation());
    assertThat(next.isAlive()).isTrue();
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private static void answer(Desk desk, ConsentRequest request, Answer answer) {
    assertThat(
            desk.submit(request.conversation(), new Input.Answered("answer", request.id(), answer)))
        .isTrue();
  }

  private static void checkAnswered(
      Desk desk, ConsentRequest request, @Nullable ResultCode expected) {
    String conversation = request.conversation();
    desk.awaitEnd(conversation);
    List<SettledCall> results = desk.results(conversation);
    assertThat(results).hasSize(1);
    SettledCall settled = results.getFirst();
    assertThat(settled.result().code()).isEqualTo(expected);
    assertThat(settled.call().arguments()).isEqualTo(request.call().arguments());
    String bill = Desk.bill(conversation, 1);
    assertThat(desk.payments.requests(bill)).as(bill).isEqualTo(expected == null ? 1 : 0);
  }
}
