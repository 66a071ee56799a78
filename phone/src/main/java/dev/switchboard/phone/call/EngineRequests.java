package dev.switchboard.phone.call;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.phone.call.CallJournal.Offered;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.PlayoutLedger.Source;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The requests to the engine: sent to its open session, or kept for the next one.
///
/// For the actor's thread.
final class EngineRequests {
  private @Nullable EngineSession session;
  private String instructions = ""; // of the session
  private List<ToolDefinition> tools = List.of(); // of the session
  private @Nullable Offered offered;
  private final List<Engine.Item> unsent = new ArrayList<>(); // added while none was open

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

  /// Adds text to the conversation.
  void add(Engine.Role role, String text) {
    add(new Engine.Item(role, text));
  }

  /// Adds an item to the conversation.
  void add(Engine.Item item) {
    EngineSession to = session;
    if (to == null) {
      unsent.add(item);
    } else {
      to.add(item);
    }
  }

  /// Drops what waits for the next session, which reads it in the history.
  void forgetUnsent() {
    unsent.clear();
  }

  /// Sends the output of a tool call; without effect if no session is open, since the next one does
  /// not know the call.
  void output(String callId, String text) {
    EngineSession to = session;
    if (to != null) {
      to.output(callId, text);
    }
  }

  /// Sets the tools and instructions of the next answers.
  void offer(Offered now) {
    offered = now;
  }

  /// Requests a response.
  void create(Wanted wanted) {
    EngineSession to = session;
    if (to != null) {
      to.create(request(wanted));
    }
  }

  private EngineSession.Response request(Wanted wanted) {
    String words = wanted.words();
    if (words != null) {
      String exactly =
          "Say exactly this to the caller, word for word, and nothing else: " + Json.of(words);
      return new EngineSession.Response(wanted.id(), true, exactly, List.of(), ToolChoice.NONE);
    }
    Offered now = offered;
    if (now == null) {
      return new EngineSession.Response(wanted.id(), false, null, null, ToolChoice.AUTO);
    }
    String changed = now.instructions().equals(instructions) ? null : now.instructions();
    List<ToolDefinition> open = now.offer().tools().equals(tools) ? null : now.offer().tools();
    ToolChoice choice = wanted.mayCall() ? now.offer().choice() : ToolChoice.NONE;
    return new EngineSession.Response(wanted.id(), false, changed, open, choice);
  }

  void cancel(String response) {
    EngineSession to = session;
    if (to != null) {
      to.cancel(response);
    }
  }

  /// Deletes an item of which nothing was heard.
  void delete(String item) {
    EngineSession to = session;
    if (to != null) {
      to.delete(item);
    }
  }

  /// Removes the unheard part of an item.
  void truncate(Cut cut) {
    EngineSession to = session;
    Source source = cut.source();
    if (cut.heard() == 0) {
      delete(source.item());
    } else if (to != null && cut.heard() < cut.sent()) {
      to.truncate(source.item(), source.content(), cut.heard());
    }
  }
}
