package dev.switchboard.handler;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.switchboard.json.Json;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a handler gets beside its arguments: who asks, how much time is left, and means to report
/// progress and to ask.
///
/// Made for each call, thread-safe, and without effect after the call's end.
public interface ToolContext {
  /// The name of the agent that the call is made for; empty if an executor stands alone.
  default String agentId() {
    return services().agent();
  }

  /// The id of the conversation or phone call.
  String conversationId();

  /// The id of this tool call.
  String toolCallId();

  /// The phone number of the caller, null when this is not a phone call.
  @Nullable String caller();

  /// The phone number that was called, null when this is not a phone call.
  @Nullable String callee();

  /// The host's attributes of the conversation, such as a tenant or a trace.
  Map<String, String> attributes();

  /// A key that is equal for all attempts of this call and differs between calls; for services that
  /// recognise repeated requests by it.
  String idempotencyKey();

  /// The number of this attempt, from 1.
  int attempt();

  /// Reports progress, which the host speaks or shows. Blank text and reports after the call's end
  /// are dropped.
  void progress(String text);

  /// Restarts the attempt's timeout, since the work is still going on. The deadline stays.
  void alive();

  /// The time left until the call's deadline, never negative.
  Duration remaining();

  /// Whether the answer is no longer awaited.
  boolean cancelled();

  /// Runs the action, once, as soon as this attempt's answer is no longer awaited; at once if that
  /// is already so. For work that an interrupt does not reach.
  void onCancel(Runnable action);

  /// The agent's other tools, with the same checks and rules as calls of the model.
  ToolCaller tools();

  /// The person who can be asked whether the work may continue.
  Consent consent();

  /// The services that all calls of the agent share: memory, message router, model, data sources.
  Services services();

  /// The clock of the runtime.
  Time time();

  /// The agent's tools, for a tool that calls others: the same checks, rules and conversation, the
  /// nearer deadline, at most four deep, and without consent: no one can be asked.
  @FunctionalInterface
  interface ToolCaller {
    /// The one result of that call.
    ToolResult call(String tool, Json arguments);
  }

  /// A person who can be asked from within a running call.
  ///
  /// For what only the handler can know, such as a price that it has just looked up. Where a call
  /// can be judged by its arguments, use a rule or [ToolBuilder#asksWhen].
  @FunctionalInterface
  interface Consent {
    /// Asks the person that question, and waits for the reply.
    ///
    /// The wait ends with the call's deadline, the attempt, the time that a request may wait, or
    /// the conversation: whichever comes first. Where no one can be asked, the reply is no, without
    /// a wait. The reply counts for this question only.
    ///
    /// @param question a sentence that says what will be done
    /// @throws IllegalArgumentException when the question is blank
    Reply ask(String question);

    /// Asks the person for data, as [#ask(String)] asks for consent: what is proposed may be agreed
    /// to as it is, or changed.
    ///
    /// @param question a sentence that says what the data is for
    /// @param proposed an object
    /// @throws IllegalArgumentException when the question is blank
    default Reply ask(String question, Json proposed) {
      return Reply.no("nobody here can be asked for data");
    }

    /// The reply to a question.
    ///
    /// @param agreed whether the person has agreed
    /// @param reason why not: the person's own words, or else the library's; may be empty
    /// @param data what the person agreed to or put in its place, where data was asked for; null
    ///   otherwise
    record Reply(
        boolean agreed,
        String reason,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Json data) {
      /// The person has agreed.
      public static final Reply YES = new Reply(true, "", null);

      /// The person has not agreed, or no one could be asked.
      public static Reply no(String reason) {
        return new Reply(false, reason, null);
      }
    }
  }
}
