package dev.switchboard.execution;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.attempt.Attempt;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Questions of a handler to a person, each a request with its own id.
record HandlerConsent(Attempt attempt, Call call, Consents consents)
    implements ToolContext.Consent {
  private static final Reply OVER = Reply.no("the call is over");
  private static final Reply NOBODY = Reply.no("there is no one to ask");

  @Override
  public Reply ask(String question) {
    return asked(question, call.call().arguments(), false);
  }

  @Override
  public Reply ask(String question, Json proposed) {
    return asked(question, proposed, true);
  }

  /// @param shown what the person reads beside the question
  /// @param changeable whether the person may change it
  private Reply asked(String question, Json shown, boolean changeable) {
    if (question.isBlank()) {
      throw new IllegalArgumentException("a question must not be blank");
    }
    if (attempt.cancelled() || call.session().cancelled()) {
      return OVER;
    }
    Approver approver = consents.ofHandlers(call.session());
    if (approver.equals(Approver.NOBODY)) {
      return NOBODY;
    }
    Duration patience = consents.patience().present();
    Duration left = attempt.remaining();
    Duration open = left.compareTo(patience) < 0 ? left : patience;
    // Otherwise the deadline ends the attempt and its wait: two ends at the same moment would race.
    boolean unbounded = call.tool().options().inline();
    long end = consents.time().nanos() + (unbounded ? open : patience).toNanos();
    Answer answer =
        consents.asked(
            request(question, shown, open), approver, call.session(), end, attempt::onCancel);
    return answer == null ? unanswered(end) : reply(answer, changeable ? shown : null);
  }

  private ConsentRequest request(String question, Json shown, Duration open) {
    ToolCall asked = call.call();
    return new ConsentRequest(
        call.session().conversationId(),
        new ToolCall(attempt.nextId(), asked.name(), shown),
        call.tool().definition().mode(),
        List.of(new ConsentRequest.Demand(question, null, shown, "")),
        consents.time().now().plus(open).truncatedTo(ChronoUnit.MILLIS));
  }

  private Reply unanswered(long end) {
    if (attempt.cancelled()
        || call.session().cancelled()
        || Thread.currentThread().isInterrupted()) {
      return OVER;
    }
    boolean late = consents.time().nanos() - end >= 0;
    return late ? Reply.no("no one answered in time") : NOBODY;
  }

  /// @param proposed what the person may have changed, null for nothing
  private static Reply reply(Answer answer, @Nullable Json proposed) {
    return switch (answer) {
      case Answer.Nobody() -> NOBODY;
      case Answer.Denied denied -> Reply.no(denied.reason());
      case Answer.Approved approved -> {
        if (proposed != null) {
          yield new Reply(true, "", requireNonNullElse(approved.arguments(), proposed));
        }
        // A person who changed the arguments has not agreed to what the handler is about to do.
        yield approved.arguments() == null
            ? Reply.YES
            : Reply.no("the arguments of a call that runs cannot be changed");
      }
    };
  }
}
