package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.chaos.Desk.Struck;
import dev.switchboard.cli.chaos.Payments.Hit;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.tool.ResultCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker is killed in a payment: another one goes on.
@Tag("slow")
class KilledWorkerChaosTest {
  @TempDir private Path folder;

  @Test
  void aPaymentThatMayBeRepeatedIsMadeOnceByItsKey() throws Exception {
    try (Desk desk = new Desk(folder, "at_least_once").with("a", "b")) {
      Trials.run(
          "a worker killed in a payment, at_least_once",
          "one key a payment, one result a call, the transcript of a calm conversation",
          desk.payments::again,
          random -> {
            Struck struck = killed(desk, random, random.nextBoolean());
            List<String> said = struck.conversations();
            Hit hit = struck.hit();
            Duration took = desk.untilEnd(said, hit.nanos());
            said.forEach(desk::checkPaid);
            desk.start(hit.worker()).awaitStart();
            return took;
          });
    }
  }

  @Test
  void aPaymentThatMayNotBeRepeatedIsAskedForOnce() throws Exception {
    try (Desk desk = new Desk(folder, "at_most_once").with("a", "b")) {
      Trials.run(
          "a worker killed in a payment, at_most_once",
          "one request a payment, outcome_unknown where no answer came, one result a call",
          desk.payments::again,
          random -> {
            boolean unanswered = random.nextInt(4) > 0;
            Struck struck = killed(desk, random, unanswered);
            List<String> said = struck.conversations();
            Hit hit = struck.hit();
            Duration took = desk.untilEnd(said, hit.nanos());
            said.forEach(one -> checkAskedOnce(desk, one, unanswered ? hit.bill() : ""));
            desk.start(hit.worker()).awaitStart();
            return took;
          });
    }
  }

  /// Kills a worker in a payment.
  private static Struck killed(Desk desk, SplittableRandom random, boolean unanswered)
      throws Exception {
    return desk.strike(random, unanswered, worker -> desk.worker(worker).kill());
  }

  private static void checkAskedOnce(Desk desk, String conversation, String cutOff) {
    desk.checkRead();
    List<SettledCall> results = desk.results(conversation);
    assertThat(results).hasSize(Desk.BILLS);
    for (int number = 1; number <= Desk.BILLS; number++) {
      String bill = Desk.bill(conversation, number);
      ResultCode code = results.get(number - 1).result().code();
      // One that is known of as begun may not have been asked for.
      int least = code == null ? 1 : 0;
      assertThat(desk.payments.requests(bill)).as(bill).isBetween(least, 1);
      assertThat(code).as(bill).isIn(null, ResultCode.OUTCOME_UNKNOWN);
      if (bill.equals(cutOff)) {
        assertThat(code).as(bill).isEqualTo(ResultCode.OUTCOME_UNKNOWN);
        assertThat(desk.payments.requests(bill)).as(bill).isEqualTo(1);
      }
    }
  }
}
