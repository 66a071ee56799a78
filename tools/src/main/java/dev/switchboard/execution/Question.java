package dev.switchboard.execution;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import org.jspecify.annotations.Nullable;

/// A question to the approver, and its answer.
final class Question extends Time.Signal implements Runnable {
  private final ConsentRequest request;
  private final Approver approver;
  private volatile @Nullable Answer answer;

  Question(ConsentRequest request, Approver approver) {
    this.request = request;
    this.approver = approver;
  }

  /// The answer, null while there is none.
  @Nullable Answer answer() {
    return answer;
  }

  @Override
  public void run() {
    try {
      answer = approver.ask(request);
    } catch (InterruptedException e) {
      // The request is over, or the approver gives up.
      Thread.currentThread().interrupt();
    } catch (Throwable thrown) {
      // Also an Error: an approver that throws counts as absent.
      ExceptionLog.warn(Broken.calls(), "the approver failed", thrown);
      answer = new Answer.Nobody();
    } finally {
      give();
    }
  }
}
