package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/// The caller's waiting times in a turn and their causes: the event `figures` at the end of each
/// turn in which the caller spoke or was interrupted.
///
/// For the actor's thread.
final class TurnFigures {
  private static final long NEVER = -1;

  private final CallContext call;
  private long asked = NEVER; // nanos of the end of the caller's words, or keys
  private long answer = NEVER; // nanos from there to the first audio of the answer
  private long filler = NEVER; // nanos from there to the first audio of other words
  private long toolsBegan = NEVER;
  private long tools = NEVER; // nanos in which tools ran
  private long clear = NEVER; // nanos from the caller's speech to the end of the agent's
  private int conflicts;
  private int reconnects;

  TurnFigures(CallContext call) {
    this.call = call;
  }

  /// The caller has finished speaking, or pressed keys: the figures of the previous turn are
  /// reported, and new ones begin.
  void asked(int turn) {
    report(turn);
    asked = call.nanos();
  }

  /// Audio or words of a response are sent.
  ///
  /// @param preamble whether they come before its answer
  void sounds(SpokenResponse response, boolean preamble) {
    if (!response.begins(preamble) || asked == NEVER || answer != NEVER) {
      return;
    }
    long waited = call.nanos() - asked;
    switch (response.wanted.kind()) {
      case ANSWER, FAREWELL -> {
        if (preamble) {
          fills(waited);
        } else {
          answer = waited;
        }
      }
      case PROGRESS, REASSURANCE, NOTICE -> fills(waited);
      case FIRST_MESSAGE, DISCLOSURE, TONE -> {}
    }
  }

  private void fills(long waited) {
    filler = filler == NEVER ? waited : filler;
  }

  void toolsBegin() {
    toolsBegan = call.nanos();
  }

  void toolsEnd() {
    if (toolsBegan != NEVER) {
      tools = Math.max(0, tools) + call.nanos() - toolsBegan;
      toolsBegan = NEVER;
    }
  }

  /// The caller has interrupted the agent, whose audio was cleared.
  ///
  /// @param since when the engine reported the caller's speech, in nanoseconds
  void cleared(long since) {
    clear = call.nanos() - since;
  }

  void conflict() {
    conflicts++;
  }

  void reconnect() {
    reconnects++;
  }

  /// Reports and clears the figures of the turn, if there are any.
  void report(int turn) {
    ObjectNode figures = Codec.object().put("turn", turn);
    put(figures, "answer_ms", answer);
    put(figures, "filler_ms", filler);
    put(figures, "tools_ms", tools);
    put(figures, "clear_ms", clear);
    if (conflicts > 0) {
      figures.put("conflicts", conflicts);
    }
    if (reconnects > 0) {
      figures.put("reconnects", reconnects);
    }
    if (figures.size() > 1) {
      call.note("figures", figures);
    }
    asked = NEVER;
    answer = NEVER;
    filler = NEVER;
    tools = NEVER;
    clear = NEVER;
    conflicts = 0;
    reconnects = 0;
  }

  private static void put(ObjectNode figures, String name, long nanos) {
    if (nanos != NEVER) {
      figures.put(name, TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }
}
