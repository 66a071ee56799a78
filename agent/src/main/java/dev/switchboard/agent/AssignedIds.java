package dev.switchboard.agent;

import dev.switchboard.execution.ToolSession;
import dev.switchboard.guard.SessionGuards;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.tool.ToolCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Gives the calls of a conversation's replies their ids.
///
/// Used by one thread at a time.
final class AssignedIds {
  private static final int LONGEST_NAME = 200; // longer than any tool's, so that none becomes one
  private static final String NO_NAME = "(no name)"; // which no tool can have
  // The ids that we give, and those of the runtime's own calls.
  private static final Pattern OURS = Pattern.compile("call_\\d+_\\d+_\\d+_*|auto_.*");

  private final ToolSession session;
  private final SessionGuards guards;
  private final Transcript transcript;

  AssignedIds(ToolSession session, SessionGuards guards, Transcript transcript) {
    this.session = session;
    this.guards = guards;
    this.transcript = transcript;
  }

  /// The reply with ids that are unique in the conversation, and the provider's own id if it gave a
  /// unique one.
  TranscriptEntry.Replied assign(ModelReply reply, int turn, int round) {
    if (reply.calls().isEmpty()) {
      return new TranscriptEntry.Replied(reply, List.of());
    }
    Set<String> taken = new HashSet<>();
    List<String> ids = new ArrayList<>();
    List<RequestedCall> calls = new ArrayList<>();
    for (RequestedCall call : reply.calls()) {
      String name = name(call);
      String own = free("call_" + turn + '_' + round + '_' + (ids.size() + 1));
      boolean usable =
          !call.id().isBlank()
              && !OURS.matcher(call.id()).matches()
              && !transcript.history().knowsCall(call.id())
              && taken.add(call.id());
      ids.add(own);
      ToolCall clean = guards.redacted(new ToolCall(own, name, call.arguments()));
      calls.add(
          new RequestedCall(
              usable ? call.id() : own, clean.name(), clean.arguments(), call.extra()));
    }
    return new TranscriptEntry.Replied(reply.withCalls(calls), ids);
  }

  /// The id, made longer if another host of the conversation has used it.
  private String free(String id) {
    String free = id;
    while (waits(free) || session.result(free) != null) {
      free += "_";
    }
    return free;
  }

  private boolean waits(String id) {
    List<WaitingCall> waiting = session.state().waiting();
    return !waiting.isEmpty() && waiting.stream().anyMatch(call -> call.request().id().equals(id));
  }

  /// The name as the model said it: only a tool of exactly that name may run.
  private static String name(RequestedCall call) {
    String said = call.name();
    return said.isBlank() ? NO_NAME : said.substring(0, Math.min(said.length(), LONGEST_NAME));
  }
}
