package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.phone.call.CallJournal.Offered;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.PlayoutLedger.Source;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.tool.ToolDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The requests to the engine: sent to its open session, or kept for the next one. An engine whose
/// conversation the agent keeps gets requests for the agent's model, and nothing else of it.
///
/// For the actor's thread.
final class EngineRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final boolean ofAgent;
  private final CallJournal journal;
  private @Nullable Asked latest;
  private @Nullable EngineSession session;
  private String instructions = ""; // of the session
  private List<ToolDefinition> tools = List.of(); // of the session
  private @Nullable Offered offered;
  private final List<Message> unsent = new ArrayList<>(); // added while none was open

  /// A request for the agent's model.
  ///
  /// @param id of the response that answers it
  private record Asked(String id, LiveSession.Request request) {}

  EngineRequests(Engine.Keeper keeper, CallJournal journal) {
    ofAgent = keeper == Engine.Keeper.AGENT;
    this.journal = journal;
  }

  /// Whether the agent keeps the conversation, and its model replies.
  boolean isOfAgent() {
    return ofAgent;
  }

  /// How long a response may go without a sign of life: as the agent's limits state it, by default
  /// 30 s for any model, since someone waits.
  Duration patience() {
    return Objects.requireNonNullElse(journal.limits().modelTimeout(), PATIENCE);
  }

  void open(EngineSession next, Engine.Setup setup) {
    session = next;
    instructions = setup.instructions();
    tools = setup.tools();
    unsent.forEach(next::add);
    unsent.clear();
  }

  boolean isOpen() {
    return session != null;
  }

  void close() {
    session = null;
  }

  /// The open session if the engine keeps the conversation, null otherwise.
  private @Nullable EngineSession keeper() {
    return ofAgent ? null : session;
  }

  /// Adds a message to the conversation.
  void add(Message message) {
    EngineSession to = keeper();
    if (to != null) {
      to.add(message);
    } else if (!ofAgent) {
      unsent.add(message);
    }
  }

  /// Drops what waits for the next session, which reads it in the history.
  void forgetUnsent() {
    unsent.clear();
  }

  /// Sends the output of a tool call; without effect if no session is open, since the next one does
  /// not know the call.
  void output(Message.Result result) {
    EngineSession to = keeper();
    if (to != null) {
      to.output(result);
    }
  }

  /// Sets the tools and instructions of the next answers.
  void offer(Offered now) {
    offered = now;
  }

  /// Requests a response.
  void create(Wanted wanted) {
    EngineSession to = session;
    String words = wanted.words();
    if (to == null) {
      return;
    }
    if (words != null) {
      to.create(EngineSession.Response.ofWords(wanted.id(), words));
    } else if (ofAgent) {
      journal.request(wanted.mayCall(), request -> create(wanted.id(), request));
    } else {
      to.create(response(wanted));
    }
  }

  private void create(String id, LiveSession.Request request) {
    EngineSession to = session;
    if (to != null) {
      latest = new Asked(id, request);
      to.create(EngineSession.Response.of(id, request));
    }
  }

  /// The request for the agent's model that this response answers, null if it answers none; for the
  /// first caller only.
  LiveSession.@Nullable Request take(String id) {
    Asked asked = latest;
    if (asked == null || !asked.id.equals(id)) {
      return null;
    }
    latest = null;
    return asked.request;
  }

  private EngineSession.Response response(Wanted wanted) {
    Offered now = offered;
    if (now == null) {
      return new EngineSession.Response(wanted.id(), null, null, null, null, ToolChoice.AUTO);
    }
    String changed = now.instructions().equals(instructions) ? null : now.instructions();
    List<ToolDefinition> open = now.offer().tools().equals(tools) ? null : now.offer().tools();
    ToolChoice choice = wanted.mayCall() ? now.offer().choice() : ToolChoice.NONE;
    return new EngineSession.Response(wanted.id(), null, null, changed, open, choice);
  }

  void cancel(String response) {
    EngineSession to = session;
    if (to != null) {
      to.cancel(response);
    }
  }

  /// Deletes an item of which nothing was heard.
  void delete(String item) {
    EngineSession to = keeper();
    if (to != null) {
      to.delete(item);
    }
  }

  /// Removes the unheard part of an item.
  void truncate(Cut cut) {
    EngineSession to = keeper();
    Source source = cut.source();
    if (cut.heard() == 0) {
      delete(source.item());
    } else if (to != null && cut.heard() < cut.sent()) {
      to.truncate(source.item(), source.content(), cut.heard());
    }
  }
}
