package dev.switchboard.tool;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The result of a call: exactly one for every call. A null member is absent and is not written.
///
/// @param success whether the call succeeded
/// @param terminal whether the conversation's loop ends
/// @param needsFollowup after a failure, whether the model should continue and correct it
/// @param nextAction a hint for the host
/// @param message for the person
/// @param error for the log and the model
/// @param data the answer, if it is an object
/// @param callId the call's id
/// @param text what the model reads
/// @param code why the runtime refused or failed the call
/// @param fallback true if a retry will not help now
/// @param circuitState `open` if the circuit breaker answered
/// @param retryAfterMs milliseconds until the breaker lets a call through
/// @param violation the class of the broken rule
/// @param faults of the arguments
/// @param truncated true if `text` was cut
/// @param more further members
public record ToolResult(
    boolean success,
    @Nullable Boolean terminal,
    @Nullable Boolean needsFollowup,
    @Nullable String nextAction,
    @Nullable String message,
    @Nullable String error,
    @Nullable Json data,
    @Nullable String callId,
    @Nullable String text,
    @Nullable ResultCode code,
    @Nullable Boolean fallback,
    @Nullable String circuitState,
    @Nullable Long retryAfterMs,
    @Nullable String violation,
    List<Fault> faults,
    @Nullable Boolean truncated,
    Map<String, Json> more) {
  public ToolResult {
    faults = List.copyOf(faults);
    more = more.isEmpty() ? Map.of() : checked(more);
  }

  private static Map<String, Json> checked(Map<String, Json> more) {
    for (String name : more.keySet()) {
      if (ToolResultJson.MEMBERS.contains(name)) {
        throw new IllegalArgumentException("'" + name + "' is a member of its own");
      }
    }
    return Collections.unmodifiableMap(new LinkedHashMap<>(more));
  }

  /// A success whose text the model reads unchanged.
  public static ToolResult ok(String text) {
    return builder(true).text(text).build();
  }

  /// A success whose JSON the model reads; an object is also `data`.
  public static ToolResult ok(Json answer) {
    Builder result = builder(true).text(answer.text());
    return (answer.isObject() ? result.data(answer) : result).build();
  }

  /// A failure that the tool reports. It ends the loop, unless it [needs a
  /// follow-up][Builder#needsFollowup].
  public static ToolResult error(String error) {
    return builder(false).error(error).build();
  }

  /// A refusal or failure of the runtime: the model reads it, and the loop continues.
  public static Builder failure(ResultCode code, String error) {
    return builder(false).needsFollowup(true).error(error).code(code);
  }

  /// A builder of a result.
  public static Builder builder(boolean success) {
    return new Builder(success);
  }

  /// The result that a tool's answer states, an object whose `success` is a boolean; null for any
  /// other answer.
  ///
  /// Its members `terminal`, `needsFollowup`, `nextAction`, `message`, `error` and `data` are read
  /// if they have the right types; unknown members are in `more`. If another member is left, `text`
  /// is the whole answer, and a failure without `terminal` and `needsFollowup` [needs a
  /// follow-up][Builder#needsFollowup].
  ///
  /// @throws dev.switchboard.json.JsonException when it is not JSON
  public static @Nullable ToolResult recognise(Json answer) {
    return ToolResultJson.recognise(answer);
  }

  /// Reads a result, with further members unchanged.
  ///
  /// @throws IllegalArgumentException when it is not a result, or a member has the wrong type
  /// @throws dev.switchboard.json.JsonException when it is not JSON
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static ToolResult read(Json json) {
    return ToolResultJson.read(json);
  }

  /// Whether the loop ends: stated, or a failure without follow-up.
  public boolean isTerminal() {
    return Boolean.TRUE.equals(terminal) || (!success && !Boolean.TRUE.equals(needsFollowup));
  }

  /// What a person reads of it: the message or, if a failure has none, the error; null for neither.
  public @Nullable String sentence() {
    boolean silent = message == null || message.isBlank();
    return silent && !success && error != null && !error.isBlank() ? error : message;
  }

  /// The change that the tool made, for a user interface, from `data.preview`; null if there is
  /// none.
  public @Nullable Preview preview() {
    return ToolResultJson.preview(this);
  }

  /// The call that reverts the change, for a user interface, from `data.undo`, with a generated id;
  /// null if there is none.
  public @Nullable ToolCall undo() {
    return ToolResultJson.undo(this);
  }

  /// A change.
  ///
  /// @param before the earlier text; null if one text describes the change
  /// @param after the later text, or that one text
  public record Preview(@Nullable String before, String after) {}

  /// The result as on the wire.
  @JsonValue
  public Json json() {
    return ToolResultJson.write(this);
  }

  /// The text of [#json()].
  @Override
  public String toString() {
    return json().text();
  }

  /// A builder with the members of this result.
  public Builder toBuilder() {
    return new Builder(this);
  }

  /// A builder of a result; each method sets the member with its name.
  public static final class Builder {
    private final boolean success;
    private @Nullable Boolean terminal;
    private @Nullable Boolean needsFollowup;
    private @Nullable String nextAction;
    private @Nullable String message;
    private @Nullable String error;
    private @Nullable Json data;
    private @Nullable String callId;
    private @Nullable String text;
    private @Nullable ResultCode code;
    private @Nullable Boolean fallback;
    private @Nullable String circuitState;
    private @Nullable Long retryAfterMs;
    private @Nullable String violation;
    private List<Fault> faults = List.of();
    private @Nullable Boolean truncated;
    private Map<String, Json> more = Map.of();

    private Builder(boolean success) {
      this.success = success;
    }

    private Builder(ToolResult from) {
      success = from.success;
      terminal = from.terminal;
      needsFollowup = from.needsFollowup;
      nextAction = from.nextAction;
      message = from.message;
      error = from.error;
      data = from.data;
      callId = from.callId;
      text = from.text;
      code = from.code;
      fallback = from.fallback;
      circuitState = from.circuitState;
      retryAfterMs = from.retryAfterMs;
      violation = from.violation;
      faults = from.faults;
      truncated = from.truncated;
      more = from.more;
    }

    /// Whether the loop ends.
    public Builder terminal(boolean value) {
      terminal = value;
      return this;
    }

    /// Whether the model should continue and correct the failure.
    public Builder needsFollowup(boolean value) {
      needsFollowup = value;
      return this;
    }

    /// A hint for the host.
    public Builder nextAction(String value) {
      nextAction = value;
      return this;
    }

    /// Words for the person.
    public Builder message(String value) {
      message = value;
      return this;
    }

    /// Words for the log and the model.
    public Builder error(String value) {
      error = value;
      return this;
    }

    /// The answer, an object; null for none.
    public Builder data(@Nullable Json value) {
      data = value;
      return this;
    }

    /// The id of the call.
    public Builder callId(String value) {
      callId = value;
      return this;
    }

    /// What the model reads.
    public Builder text(String value) {
      text = value;
      return this;
    }

    /// Also sets `fallback`, by the code.
    public Builder code(ResultCode value) {
      code = value;
      fallback = value.fallback() ? Boolean.TRUE : fallback;
      return this;
    }

    /// Whether a retry will not help now.
    public Builder fallback(boolean value) {
      fallback = value;
      return this;
    }

    /// `circuit_state` open, and the milliseconds, rounded up, until a call is let through.
    public Builder circuitOpen(Duration retryAfter) {
      circuitState = "open";
      retryAfterMs = Math.max(1, (retryAfter.toNanos() + 999_999) / 1_000_000);
      return this;
    }

    /// The state of the circuit breaker: `open`.
    public Builder circuitState(String value) {
      circuitState = value;
      return this;
    }

    /// Milliseconds until the breaker lets a call through.
    public Builder retryAfterMs(long value) {
      retryAfterMs = value;
      return this;
    }

    /// The class of the broken rule.
    public Builder violation(String value) {
      violation = value;
      return this;
    }

    /// The faults of the arguments.
    public Builder faults(List<Fault> value) {
      faults = value;
      return this;
    }

    /// Whether the text was cut.
    public Builder truncated(boolean value) {
      truncated = value;
      return this;
    }

    /// Further members.
    public Builder more(Map<String, Json> value) {
      more = value;
      return this;
    }

    /// The result.
    public ToolResult build() {
      return new ToolResult(
          success,
          terminal,
          needsFollowup,
          nextAction,
          message,
          error,
          data,
          callId,
          text,
          code,
          fallback,
          circuitState,
          retryAfterMs,
          violation,
          faults,
          truncated,
          more);
    }
  }
}
