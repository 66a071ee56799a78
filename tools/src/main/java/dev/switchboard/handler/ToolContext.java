package dev.switchboard.handler;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.switchboard.json.Json;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a handler gets beside its arguments.
///
/// Made for each call, thread-safe, and without effect after the call's end.
public interface ToolContext {
  /// The name of the agent; empty for an executor without an agent.
  default String agentId() {
    return services().agent();
  }

  /// The id of the conversation or phone call.
  String conversationId();

  /// The name of the principal whose conversation it is, `local` by default.
  default String principal() {
    return PrincipalName.LOCAL;
  }

  /// Who acts for the principal, such as an operator; null for the principal itself.
  default @Nullable String actor() {
    return null;
  }

  /// The id of this tool call.
  String toolCallId();

  /// The caller's phone number, null without a phone call.
  @Nullable String caller();

  /// The number that was called, null without a phone call.
  @Nullable String callee();

  /// The host's attributes of the conversation, such as a tenant or a trace.
  Map<String, String> attributes();

  /// A key that is equal for all attempts of this call, so that services can recognize repeated
  /// requests.
  String idempotencyKey();

  /// The number of this attempt, from 1.
  int attempt();

  /// Reports progress, which the host speaks or shows. Blank text and reports after the call's end
  /// are dropped.
  void progress(String text);

  /// Restarts the attempt's timeout. The deadline stays.
  void alive();

  /// The time left until the call's deadline, never negative.
  Duration remaining();

  /// Whether the call no longer waits for the answer.
  boolean cancelled();

  /// Runs the action once, as soon as the call no longer waits for this attempt's answer; at once
  /// if it does not already.
  void onCancel(Runnable action);

  /// The agent's other tools, with the same checks and rules as calls of the model.
  ToolCaller tools();

  /// A person who can be asked whether to continue.
  Consent consent();

  /// The services that all calls of the agent share: memory, message router, model, data sources.
  Services services();

  /// The clock of the runtime.
  Time time();

  /// The agent's tools, for a tool that calls others: in the same conversation, within the nearer
  /// deadline, at most four deep, without asking for consent.
  @FunctionalInterface
  interface ToolCaller {
    /// The one result of that call.
    ToolResult call(String tool, Json arguments);
  }

  /// A person who can be asked during a call, about what only the handler knows, such as a price.
  /// If the arguments decide, use a rule or [ToolBuilder#asksWhen].
  @FunctionalInterface
  interface Consent {
    /// Asks the person that question, and waits for the reply.
    ///
    /// The wait ends with the deadline, the attempt, the consent timeout, or the conversation. If
    /// no one can be asked, the reply is no, at once. The reply counts for this question only.
    ///
    /// @param question a sentence that says what will be done
    /// @throws IllegalArgumentException when the question is blank
    Reply ask(String question);

    /// Asks the person for data: the proposed object may be accepted or changed.
    ///
    /// @param question a sentence that says what the data is for
    /// @param proposed an object
    /// @throws IllegalArgumentException when the question is blank
    default Reply ask(String question, Json proposed) {
      return Reply.no("no one here can be asked for data");
    }

    /// The reply to a question.
    ///
    /// @param agreed whether the person has agreed
    /// @param reason why not, in the person's or the library's words; may be empty
    /// @param data the accepted or changed data; null if none was requested
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
