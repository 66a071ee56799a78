package dev.switchboard.handler;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a handler gets beside its arguments: who asks, how much time is left, and the way to say
/// and ask more.
///
/// Made anew for each call, safe for use by several threads, and without effect once the call is
/// settled.
public interface ToolContext {
  /// The name of the agent that the call is made for; empty where an executor stands alone.
  default String agentId() {
    return services().agent();
  }

  /// The id of the conversation or phone call.
  String conversationId();

  /// The id of this tool call.
  String toolCallId();

  /// The number of the one who calls, null off the phone.
  @Nullable String caller();

  /// The number that was called, null off the phone.
  @Nullable String callee();

  /// What the host has said of the conversation, such as a tenant or a trace.
  Map<String, String> attributes();

  /// The same on every attempt of this call, different between calls; for services that drop
  /// repeated requests.
  String idempotencyKey();

  /// The number of this attempt, from 1.
  int attempt();

  /// Says how far the work is; the host speaks or shows it. Blank text is dropped, and so is
  /// whatever comes late.
  void progress(String text);

  /// Says that the work goes on: the attempt's timeout begins again. The deadline stays.
  void alive();

  /// The time left until the call's deadline, never negative.
  Duration remaining();

  /// Whether nobody waits for the answer any more.
  boolean cancelled();

  /// Has the action run, once, as soon as nobody waits for this attempt's answer any more; at once
  /// when that is so already. For work that an interrupt does not reach.
  void onCancel(Runnable action);

  /// The agent's other tools, called through the same door.
  ToolCaller tools();

  /// The person who can be asked whether the work may go on.
  Consent consent();

  /// What all calls of the agent share: memory, message router, model, data sources.
  Services services();

  /// The clock of the runtime.
  Time time();
}
