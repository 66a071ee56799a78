package dev.switchboard.cli.chat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.PrintStream;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The view for pipes: the agent's text on one stream, and everything else, one per line, on
/// another.
public final class PlainView implements View {
  private static final int WIDTH = 1000;

  private final StreamedText words;
  private final PrintStream aside;
  private final Map<String, CallLine> calls = new HashMap<>(); // guarded by this
  private @Nullable CallLine settled; // guarded by this
  private @Nullable Change change; // of it; guarded by this

  /// A view on these streams, which may be the same.
  public PlainView(PrintStream out, PrintStream aside) {
    words = new StreamedText(SafeStream.over(out));
    this.aside = SafeStream.over(aside);
  }

  @Override
  public synchronized void show(Event event) {
    flush();
    switch (event) {
      case Event.Content(var text) -> words.print(text);
      case Event.ToolCalled(var call, var auto, var mode) ->
          calls.put(call.id(), CallLine.of(call));
      case Event.ToolSettled(var result, var tool) -> settled(result);
      case Event.Failed(var message, var code, var details) -> say(message);
      case Event.BudgetExhausted(var message, var code, var details) -> say(message);
      case Event.Done(var payload) -> words.endLine();
      case Event.LoaderHint(var id, var hint, var after) -> hint(id, hint);
      case Event.AgentEvent agent -> {
        String notice = Shown.notice(agent);
        if (notice != null) {
          say(notice);
        }
      }
      case Event.Keepalive() -> {}
    }
  }

  private void settled(ToolResult result) {
    String id = String.valueOf(result.callId());
    CallLine shown = calls.remove(id);
    CallLine line = shown == null ? CallLine.of(new ToolCall(id, id, Json.EMPTY_OBJECT)) : shown;
    settled = line.settled(result);
    change = Change.of(result);
  }

  private void hint(String id, String hint) {
    CallLine line = calls.get(id);
    if (line != null) {
      say(line.hint(hint).text(WIDTH));
    }
  }

  /// Its duration follows at once, or never.
  private void flush() {
    CallLine line = settled;
    Change shown = change;
    settled = null;
    change = null;
    if (line != null) {
      say(line.text(WIDTH));
    }
    if (shown != null) {
      shown.lines(WIDTH).forEach(row -> say(row.toString()));
    }
  }

  @Override
  public synchronized void took(String call, Duration length) {
    CallLine line = settled;
    if (line != null && line.call().id().equals(call)) {
      settled = line.took(length);
    }
    flush();
  }

  @Override
  public synchronized void say(String line) {
    flush();
    words.endLine();
    aside.println(line);
  }

  @Override
  public synchronized void list(String line) {
    flush();
    words.say(line);
  }

  @Override
  public synchronized void ask(ConsentRequest request) {
    CallLine line = CallLine.of(request.call()).waits();
    calls.put(request.id(), line);
    say(line.text(WIDTH));
    if (line.isCut(WIDTH)) {
      say("  " + Shown.whole(request.call()));
    }
    say("  " + Shown.question(request, ZonedDateTime.now(ZoneId.systemDefault())));
  }

  @Override
  public synchronized void answered(ConsentRequest request) {
    calls.put(request.id(), CallLine.of(request.call()));
  }

  @Override
  public synchronized void rest(String last) {
    flush();
    words.rest(last);
  }

  @Override
  public synchronized boolean broken() {
    return words.broken();
  }
}
