package dev.switchboard.execution;

import dev.switchboard.attempt.End;
import dev.switchboard.attempt.ResultConverter;
import dev.switchboard.check.Closest;
import dev.switchboard.handler.ToolException.Kind;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.JsonException;
import dev.switchboard.ruling.Decision;
import dev.switchboard.text.Durations;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Every result that the runtime makes when a call does not run or fails: the sentences of
/// `docs/reference/errors.md`. What a broken rule says is in [dev.switchboard.ruling.Check], what a
/// failed handler says in its [dev.switchboard.handler.ToolException]. The model reads the result
/// as JSON, which [ResultConverter#finish] writes.
final class Refusal {
  private static final String IN_DOUBT =
      "It is not known whether it was done: do not repeat it without asking the user.";
  private static final int FAULTS_SHOWN = 10;
  private static final int NAMES_SHOWN = 20;
  private static final int NAME_SHOWN = 100; // characters of one that no tool has

  private Refusal() {}

  /// @param gone why it was removed, a clause; null if it was not
  static ToolResult unknownTool(ToolCall call, List<ToolDefinition> tools, @Nullable String gone) {
    List<String> names = tools.stream().map(ToolDefinition::name).toList();
    List<String> closest = Closest.to(call.name(), names);
    String hint;
    if (gone != null) {
      hint = gone + ".";
    } else if (!closest.isEmpty()) {
      hint = "did you mean " + quoted(closest, " or ") + "?";
    } else if (names.isEmpty()) {
      hint = "there are no tools.";
    } else {
      List<String> shown = names.subList(0, Math.min(NAMES_SHOWN, names.size()));
      hint = "the tools are " + quoted(shown, ", ") + (shown.size() < names.size() ? ", ..." : ".");
    }
    String name = ResultConverter.cut(call.name(), NAME_SHOWN);
    return make(ResultCode.UNKNOWN_TOOL, "Unknown tool '" + name + "': " + hint);
  }

  static ToolResult invalidArguments(ToolCall call, List<Fault> faults) {
    String list =
        faults.stream()
            .limit(FAULTS_SHOWN)
            .map(Refusal::sentence)
            .collect(Collectors.joining("; "));
    String rest =
        faults.size() > FAULTS_SHOWN ? "; and " + (faults.size() - FAULTS_SHOWN) + " more" : "";
    String error = "Invalid arguments for tool '" + call.name() + "': " + list + rest;
    return ToolResult.failure(ResultCode.INVALID_ARGUMENTS, error).faults(faults).build();
  }

  private static String sentence(Fault fault) {
    String place = fault.pointer().isEmpty() ? "the arguments" : fault.pointer();
    String refusal = fault.refusal();
    if (refusal != null) {
      return place + ": " + ResultConverter.cut(Surrogates.repaired(refusal), 2000);
    }
    return place + ": expected " + fault.expected() + ", found " + fault.found();
  }

  static ToolResult malformed(String why) {
    return make(ResultCode.INVALID_ARGUMENTS, "Malformed tool call: " + why);
  }

  static ToolResult ruleViolation(ToolCall call, Decision.Denied denied) {
    String error =
        "Tool rule violation: Tool '%s' cannot be executed: %s"
            .formatted(call.name(), denied.sentence());
    ToolResult.Builder refusal =
        ToolResult.failure(ResultCode.RULE_VIOLATION, error).violation(denied.violation().name());
    return denied.hint() == null ? refusal.build() : refusal.nextAction(denied.hint()).build();
  }

  static ToolResult guarded(ToolCall call, String guardrail) {
    return make(
        ResultCode.RULE_VIOLATION,
        "Tool '%s' was not run: guardrail '%s' does not allow its arguments."
            .formatted(call.name(), guardrail));
  }

  static ToolResult repeated(ToolCall call, int times) {
    return make(
        ResultCode.REPEATED_CALL,
        "Tool '%s' has already succeeded with these arguments %s in this turn; use the result you have."
            .formatted(call.name(), times == 1 ? "once" : times + " times with the same result"));
  }

  static ToolResult consentDenied(ToolCall call, String reason) {
    String error = "Tool '%s' was not approved".formatted(call.name());
    return make(ResultCode.CONSENT_DENIED, error + (reason.isBlank() ? "." : ": " + reason));
  }

  static ToolResult consentTimeout(ToolCall call) {
    return make(
        ResultCode.CONSENT_TIMEOUT,
        "Tool '%s' needs a person's consent, and no one answered in time.".formatted(call.name()));
  }

  static ToolResult consentPending(ToolCall call) {
    return make(
        ResultCode.CONSENT_PENDING,
        "Tool '%s' needs a person's consent. A person was asked; the result follows."
            .formatted(call.name()));
  }

  static ToolResult noApprover(ToolCall call) {
    return make(
        ResultCode.NO_APPROVER,
        "Tool '%s' needs a person's consent, and no one is available to give it."
            .formatted(call.name()));
  }

  static ToolResult duplicateId(ToolCall call) {
    return make(
        ResultCode.DUPLICATE_ID,
        "The id '%s' was already used for another call.".formatted(call.id()));
  }

  /// The refusal of an id that was used, or may have been.
  static ToolResult forgottenId(ToolCall call) {
    return make(
        ResultCode.DUPLICATE_ID,
        "The id '%s' was used, or may have been, for a call whose result is no longer known."
            .formatted(call.id()));
  }

  static ToolResult skippedAfterExit(ToolCall call) {
    return make(
        ResultCode.SKIPPED_AFTER_EXIT,
        "Tool '%s' was skipped: the turn has already ended.".formatted(call.name()));
  }

  static ToolResult cancelled(ToolCall call) {
    return make(
        ResultCode.CANCELLED,
        "Tool '%s' was cancelled: the conversation was ended.".formatted(call.name()));
  }

  static ToolResult tooDeep(ToolCall call, int most) {
    return make(
        ResultCode.RULE_VIOLATION,
        "Tool '%s' was not run: tools may call tools at most %d deep."
            .formatted(call.name(), most));
  }

  static ToolResult circuitOpen(ToolCall call, Duration retryAfter) {
    String error =
        "Tool '%s' has failed repeatedly and is left alone for now; try again in %s."
            .formatted(
                call.name(),
                Durations.words(Duration.ofSeconds(retryAfter.plusMillis(999).toSeconds())));
    return ToolResult.failure(ResultCode.CIRCUIT_OPEN, error).circuitOpen(retryAfter).build();
  }

  /// The answer of attempts, or why they ended without one and whether the call may have acted.
  ///
  /// @param attempts how many were made
  /// @param doubt whether the call may have acted, and must not act twice
  static ToolResult ended(ToolCall call, int attempts, End end, boolean doubt) {
    ToolResult why =
        switch (end) {
          case End.Answered(ToolResult answer) -> answer;
          case End.Failed failed when failed.fault() != null ->
              invalidArguments(call, List.of(failed.fault()));
          case End.Failed failed -> failed(failed, attempts);
          case End.TimedOut(boolean deadline, Duration limit) ->
              timedOut(call, limit, Math.max(1, attempts));
          case End.Cancelled() -> cancelled(call);
        };
    return doubt ? inDoubt(why) : why;
  }

  private static ToolResult failed(End.Failed failure, int attempts) {
    String cause = ResultConverter.cut(Surrogates.repaired(failure.cause()), 2000);
    // A tool that has refused has not failed.
    boolean answered = failure.kind() == Kind.PERMANENT;
    return make(failure.code(), answered ? cause : afterAttempts(attempts) + cause);
  }

  private static ToolResult timedOut(ToolCall call, Duration limit, int attempts) {
    return make(
        ResultCode.TIMEOUT,
        afterAttempts(attempts)
            + "'%s' timed out after %s".formatted(call.name(), Durations.words(limit)));
  }

  /// The result of a call that a dead process had begun.
  static ToolResult outcomeUnknown(ToolCall call) {
    return inDoubt(
        make(
            ResultCode.OUTCOME_UNKNOWN,
            "Tool '%s' was begun, and the process that ran it has died.".formatted(call.name())));
  }

  /// The result of a call that may run only once and had no answer.
  static ToolResult inDoubt(ToolResult outcome) {
    String error = String.valueOf(outcome.error());
    return outcome.toBuilder().error(error + (error.endsWith(".") ? " " : ". ") + IN_DOUBT).build();
  }

  /// The result after an internal error.
  static ToolResult broken(ToolCall call, Throwable thrown) {
    return make(
        ResultCode.FAILED,
        "Tool '%s' failed: internal error (%s)"
            .formatted(call.name(), thrown.getClass().getSimpleName()));
  }

  /// The refusal of a call whose start could not be stored.
  static ToolResult notStored(ToolCall call) {
    return make(
        ResultCode.FAILED,
        "Tool '%s' was not run: the store could not be read or written. Nothing was done."
            .formatted(call.name()));
  }

  /// The refusal of a call while too many results wait to be stored.
  static ToolResult storeAway(ToolCall call, int waiting) {
    return make(
        ResultCode.FAILED,
        "Tool '%s' was not run: %d results wait to be stored, and the store does not take them."
            .formatted(call.name(), waiting));
  }

  /// An outcome with a note: a member of a failure, which is a JSON object, otherwise a line.
  static ToolResult noted(ToolResult outcome, String note) {
    String text = String.valueOf(outcome.text());
    String noted = outcome.success() ? null : withMember(text, note);
    return outcome.toBuilder().text(noted == null ? text + "\n(" + note + ")" : noted).build();
  }

  /// The text with a member `note`, null if it is no JSON object.
  private static @Nullable String withMember(String text, String note) {
    try {
      return Json.text(text).tree().deepCopy() instanceof ObjectNode object
          ? Json.of(object.put("note", note)).text()
          : null;
    } catch (JsonException e) {
      return null;
    }
  }

  private static String afterAttempts(int attempts) {
    return "Tool failed after %d attempt%s: ".formatted(attempts, attempts == 1 ? "" : "s");
  }

  private static ToolResult make(ResultCode code, String error) {
    return ToolResult.failure(code, error).build();
  }

  private static String quoted(List<String> names, String separator) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(separator));
  }
}
