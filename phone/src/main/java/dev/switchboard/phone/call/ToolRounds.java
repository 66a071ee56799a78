package dev.switchboard.phone.call;

import dev.switchboard.json.Json;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tool calls of a phone call. Each has exactly one output for the engine, even if it is
/// delivered several times or settles late.
///
/// For one thread.
final class ToolRounds {
  /// The value of a result's `data.speak` if the model should not speak about it.
  static final String SILENT = "silent";

  private static final String WHEN_IDLE = "when_idle";
  private static final String LOST = "The connection to the model was lost; the result follows.";

  private final Set<String> seen = new HashSet<>(); // ids of the provider
  private final Map<String, OpenCall> calls = new HashMap<>(); // by our ids, until reported
  private @Nullable Round open; // the latest, until it has ended

  /// The calls of one response.
  static final class Round {
    final int turn;
    final int number;
    final List<OpenCall> calls = new ArrayList<>();

    Round(int turn, int number) {
      this.turn = turn;
      this.number = number;
    }

    /// Its calls in the order in which they run: that of a transfer or of the end of the phone call
    /// comes last, since nothing runs after it.
    List<ToolCall> inRunningOrder() {
      return calls.stream()
          .map(open -> open.call)
          .sorted(Comparator.comparing(tool -> ToolNames.RESERVED.contains(tool.name())))
          .toList();
    }

    /// Whether every call counts as settled.
    boolean isSettled() {
      return calls.stream().allMatch(call -> call.output != null);
    }

    /// The outputs of its calls for the engine, in order.
    List<ToolResult> results() {
      return calls.stream().flatMap(call -> Stream.ofNullable(call.output)).toList();
    }

    /// Whether the model should speak about none of the results.
    boolean isSilent() {
      return results().stream().allMatch(result -> asks(result, SILENT));
    }

    /// Whether the model should speak about a result only when the line is idle.
    boolean waitsForIdle() {
      return results().stream().anyMatch(result -> asks(result, WHEN_IDLE));
    }
  }

  /// An open call.
  static final class OpenCall {
    final RequestedCall asked;
    final ToolCall call;
    final Round round;
    boolean spokeProgress;
    boolean left; // its turn has continued without it
    boolean inWords; // a later result is sent in words, since its output was sent already
    @Nullable ToolResult output; // the output that was sent

    OpenCall(RequestedCall asked, ToolCall call, Round round) {
      this.asked = asked;
      this.call = call;
      this.round = round;
    }

    /// The engine's session, which knows the call, has ended: the result is sent in words.
    void lose() {
      if (output == null) {
        left = true;
        inWords = true;
        output = ToolResult.builder(false).callId(call.id()).error(LOST).text(LOST).build();
      }
    }
  }

  /// Whether a result states how to speak about it.
  static boolean asks(ToolResult result, String how) {
    Json data = result.data();
    return data != null && data.tree().path("speak").asString("").equals(how);
  }

  /// Whether a call of that id of the provider is new.
  boolean isNew(String id) {
    return seen.add(id);
  }

  /// Begins a round.
  ///
  /// @param asked the engine's calls
  /// @param stored the same calls in the conversation
  Round begin(int turn, int number, List<RequestedCall> asked, List<ToolCall> stored) {
    Round round = new Round(turn, number);
    for (int i = 0; i < stored.size(); i++) {
      OpenCall call = new OpenCall(asked.get(i), stored.get(i), round);
      round.calls.add(call);
      calls.put(stored.get(i).id(), call);
    }
    endRound();
    open = round;
    return round;
  }

  /// The open call of that id here, null for none.
  @Nullable OpenCall find(String id) {
    return calls.get(id);
  }

  /// A call has ended.
  void close(OpenCall call) {
    calls.remove(call.call.id());
  }

  /// The open round, null for none.
  @Nullable Round open() {
    return open;
  }

  /// The open round has ended: results of its open calls are late.
  void endRound() {
    Round ended = open;
    open = null;
    if (ended != null) {
      ended.calls.stream().filter(call -> call.output == null).forEach(call -> call.left = true);
    }
  }

  /// Whether the engine waits for the output of a call.
  boolean areAtWork() {
    return calls.values().stream().anyMatch(call -> !call.inWords);
  }

  /// The engine's session has ended: the results of all open calls are sent in words.
  void loseAll() {
    calls.values().forEach(OpenCall::lose);
  }
}
