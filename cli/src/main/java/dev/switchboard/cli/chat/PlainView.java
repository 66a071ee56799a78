package dev.switchboard.cli.chat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;

/// For pipes: the agent's words on one stream, and all else, a line each, on another.
public final class PlainView implements View {
  private static final int WIDTH = 1000;

  private final Words words;
  private final PrintStream aside;
  private final Time time;
  private final Map<String, CallLine> calls = new HashMap<>(); // guarded by this

  /// A view on these streams, which may be one.
  public PlainView(PrintStream out, PrintStream aside, Time time) {
    words = new Words(out);
    this.aside = aside;
    this.time = time;
  }

  @Override
  public synchronized void show(Event event) {
    switch (event) {
      case Event.Content(var text) -> words.print(text);
      case Event.ToolCalled(var call, var auto) -> calls.put(call.id(), CallLine.of(call, time));
      case Event.ToolSettled(var result) -> settled(result);
      case Event.Failed(var message, var code, var details) -> say(message);
      case Event.BudgetExhausted(var message, var code) -> say(message);
      case Event.Done(var payload) -> words.endLine();
      case Event.LoaderHint hint -> {}
      case Event.AgentEvent agent -> {}
      case Event.Keepalive() -> {}
    }
  }

  private void settled(ToolResult result) {
    String id = String.valueOf(result.callId());
    CallLine known = calls.remove(id);
    CallLine line =
        known == null ? CallLine.of(new ToolCall(id, id, Json.EMPTY_OBJECT), time) : known;
    say(line.settled(result, time).text(WIDTH, false));
  }

  @Override
  public synchronized void say(String line) {
    words.endLine();
    aside.println(line);
  }

  @Override
  public synchronized void ask(ConsentRequest request) {
    CallLine line = CallLine.of(request.call(), time).waits();
    calls.put(request.id(), line);
    say(line.text(WIDTH, false));
    say("  " + request.id() + ": " + Shown.line(request.reason()));
  }

  @Override
  public synchronized void answered(ConsentRequest request) {
    calls.put(request.id(), CallLine.of(request.call(), time));
  }

  @Override
  public synchronized void rest(String last) {
    words.rest(last);
  }
}
