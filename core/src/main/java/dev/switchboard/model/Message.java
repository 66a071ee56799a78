package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A piece of a conversation, as a model reads it.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
public sealed interface Message {
  /// What the model is told to be, at the very beginning.
  @SuppressWarnings("AvoidCommonTypeNames") // it is written Message.System everywhere
  record System(String text) implements Message {}

  /// Words of the user's.
  record User(String text) implements Message {}

  /// Words and tool calls of the model's own.
  ///
  /// @param calls with `{}` in place of arguments that are not a JSON object: servers refuse to
  ///   read such again, with all that is said in the conversation
  record Assistant(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String text, List<RequestedCall> calls)
      implements Message {
    public Assistant {
      calls = calls.stream().map(RequestedCall::readable).toList();
    }

    @JsonCreator
    static Assistant stored(@Nullable String text, List<RequestedCall> calls) {
      return new Assistant(text == null ? "" : text, calls);
    }
  }

  /// What a call has come to.
  ///
  /// @param callId that of its [RequestedCall]
  /// @param success whether the tool did what it was asked for
  record Result(@JsonProperty("call") String callId, String tool, String text, boolean success)
      implements Message {
    // A success is not written in older files.
    @JsonCreator
    static Result stored(
        @JsonProperty("call") String callId, String tool, String text, @Nullable Boolean success) {
      return new Result(callId, tool, text, success == null || success);
    }
  }

  /// A word of the runtime's to the model, in the middle of the conversation, such as a reminder.
  record Notice(String text) implements Message {}
}
