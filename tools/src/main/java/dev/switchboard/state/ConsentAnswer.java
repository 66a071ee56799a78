package dev.switchboard.state;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.json.Records;
import dev.switchboard.text.Durations;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.ResultCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The outcome of a [ConsentRequest], as events show it and stores keep it.
///
/// @param id of the request
/// @param decision `approve`, `approve_always` or `deny`
/// @param by who decided: a person's name, otherwise the host (`host`, `exec`), or the word of a
///   [ResultCode] that says why no one did
/// @param arguments by which the approver replaced the call's own, null for none
/// @param reason of a denial, null for none
public record ConsentAnswer(
    String id,
    String decision,
    String by,
    Instant at,
    @Nullable Json arguments,
    @Nullable String reason) {
  /// Its name in events.
  public static final String EVENT = "consent_answer";

  public ConsentAnswer {
    at = at.truncatedTo(ChronoUnit.MILLIS);
  }

  /// The answer to the request of that id.
  ///
  /// @param unnamed who decided if the answer names no one
  public static ConsentAnswer of(String id, Answer answer, String unnamed, Instant at) {
    return switch (answer) {
      case Answer.Nobody() -> none(id, ResultCode.NO_APPROVER, at);
      case Answer.Denied denied -> {
        String reason = denied.reason().isBlank() ? null : denied.reason();
        yield new ConsentAnswer(id, "deny", named(denied.by(), unnamed), at, null, reason);
      }
      case Answer.Approved approved -> {
        boolean always = approved.holds().equals(Durations.LONGEST);
        String decision = always ? "approve_always" : "approve";
        String by = named(approved.by(), unnamed);
        yield new ConsentAnswer(id, decision, by, at, shown(approved.arguments()), null);
      }
    };
  }

  /// The arguments; JSON that is invalid or too deep as a string, since it is shown although
  /// refused.
  private static @Nullable Json shown(@Nullable Json arguments) {
    if (arguments == null) {
      return null;
    }
    try {
      arguments.check();
      if (!arguments.nestsTooDeep()) {
        return arguments;
      }
    } catch (JsonException e) {
      // As below.
    }
    return Json.of(Surrogates.repaired(arguments.text()));
  }

  private static String named(@Nullable String by, String otherwise) {
    return by == null || by.isBlank() ? otherwise : by;
  }

  /// The outcome of the request of that id, closed without an answer.
  public static ConsentAnswer none(String id, ResultCode why, Instant at) {
    return new ConsentAnswer(id, "deny", why.word(), at, null, null);
  }

  /// Whether the call may run.
  public boolean approved() {
    return !decision.equals("deny");
  }

  /// The outcome as the rest of a sentence about the request: `was approved by 'zoe' at ...`.
  public String words() {
    if (approved()) {
      return "was approved by '%s' at %s".formatted(by, at);
    }
    ResultCode why = ResultCode.ofWord(by);
    if (why == ResultCode.CONSENT_TIMEOUT) {
      return "has expired";
    }
    return why == ResultCode.NO_APPROVER
        ? "had no one to answer it"
        : "was denied by '%s' at %s".formatted(by, at);
  }

  /// The answer as the event stream shows it and stores keep it.
  public Json json() {
    return Records.write(this);
  }
}
