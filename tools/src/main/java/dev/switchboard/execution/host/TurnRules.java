package dev.switchboard.execution.host;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.ruling.Offer;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The rules as the loop of one conversation needs them: start calls, the offered tools, how the
/// loop continues after a round, and when it ends. Calls that a rule requires are executed here,
/// through the execution pipeline.
///
/// Thread-safe. Methods that write throw a
/// [dev.switchboard.execution.ConversationConflictException] if another process continues the
/// conversation.
public interface TurnRules {
  /// The tools that a model is offered now, with their allowed operations, and whether it has to
  /// call one.
  Offer offer();

  /// Why the rules would refuse a call of that tool now, as the text after `Tool 'x' cannot be
  /// executed: `; null if they would allow it.
  @Nullable String refusal(String tool);

  /// The tools that a model may ever be offered here: those that no rule forbids, with their
  /// allowed operations.
  List<ToolDefinition> definitions();

  /// The tools of [#definitions()] in the form in which models read them.
  List<ToolDefinition> modelDefinitions();

  /// As [#offer], with the definitions as stated instead of the form in which models read them.
  Offer stated();

  /// The rules as text for the end of a model's prompt; empty without rules.
  String text();

  /// Calls the start tools whose arguments are known, unless they have succeeded, or a dead process
  /// has called them in this turn; returns the results.
  List<ToolResult> begin();

  /// Calls the due periodic tools that only read and need no arguments; returns the results.
  List<ToolResult> callDue();

  /// The reminder for the next request to the model, or null: the start tools for whose lack calls
  /// were refused, and the due tools among those offered.
  @Nullable String reminder(Offer offer);

  /// Calls the tools that are still required before the end and need no arguments; returns as
  /// [#unmet()].
  List<String> finish();

  /// How the loop continues after that round of the model; [#apply] stores what this changes.
  LoopDecision decide(RoundEnd end);

  /// Stores what a decision changes, unless it is stored already: a process may have died in
  /// between.
  void apply(LoopDecision decision, RoundEnd end);

  /// The end of the loop that the first such call of a round requests, or that the pipeline has
  /// recorded; null for none.
  ///
  /// @param results the results of the calls, in their order
  RoundEnd.@Nullable Exit exit(List<RequestedCall> calls, List<ToolResult> results);

  /// Counts the ends of calls that a dead process settled but did not count.
  ///
  /// @throws RuntimeException if the store cannot be read or written
  void recover();

  /// Logs the events of a call that a dead process settled, if the log lacks them.
  ///
  /// @param own whether the runtime made the call
  void replay(ToolCall call, ToolResult result, boolean own);

  /// Settles the logged calls that a dead process left without a logged result; the outcome of
  /// those without a stored result is unknown. Pending calls stay pending.
  ///
  /// @param since the key of the logged event after which they were called, null for all
  /// @return those that were made by hand, with their results
  Map<ToolCall, ToolResult> settleLeft(@Nullable String since);

  /// The requests for consent in the store that are neither answered nor expired; nothing changes.
  List<ConsentRequest> open();

  /// Sets whether a dead process may have begun the calls that follow.
  void setMayHaveBegun(boolean may);

  /// Begins the model request of that key; false if processes have died too often during it.
  boolean beginsRequest(String key);

  /// Logs the events of a pending call, if the log lacks them.
  void replay(ConsentRequest request);

  /// The tools that are still required, and those of which one has to be next, if the turn ends
  /// now.
  List<String> outstanding();

  /// The required tools that have not succeeded.
  List<String> unmet();

  /// The tool of that name, null if there is none.
  @Nullable Tool tool(String name);

  /// Sets the time limit of each call of the conversation.
  ///
  /// @param deadlines the limit of a call that begins, by its id and tool
  void limit(BiFunction<String, Tool, Duration> deadlines);
}
