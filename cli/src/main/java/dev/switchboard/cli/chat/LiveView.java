package dev.switchboard.cli.chat;

import dev.switchboard.cli.chat.SafeStream.Control;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.PrintStream;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// For a terminal: the agent's words as they come, and a line for each call, which is redrawn in
/// place until it is settled.
final class LiveView implements View {
  private final SafeStream out;
  private final Screen screen;
  private final Words words;
  private final Map<String, CallLine> calls = new HashMap<>(); // guarded by this
  private final List<String> drawn = new ArrayList<>(); // ids of the lowest lines; guarded by this

  /// The size of a screen, which may change.
  interface Screen {
    /// Its columns.
    int width();

    /// Its lines.
    int height();

    /// Whether it may carry colour.
    boolean colour();
  }

  LiveView(PrintStream out, Screen screen) {
    this.out = SafeStream.over(out);
    this.screen = screen;
    words = new Words(this.out);
  }

  @Override
  public synchronized void show(Event event) {
    switch (event) {
      case Event.Content(var text) -> {
        drawn.clear();
        words.print(text);
      }
      case Event.ToolCalled(var call, var auto, var mode) -> draw(CallLine.of(call));
      case Event.LoaderHint(var id, var hint) -> redraw(id, line -> line.hint(hint));
      case Event.ToolSettled(var result, var tool) -> settled(result);
      case Event.Failed(var message, var code, var details) -> say(message);
      case Event.BudgetExhausted(var message, var code) -> say(message);
      case Event.Done(var payload) -> words.endLine();
      case Event.AgentEvent agent -> {}
      case Event.Keepalive() -> {}
    }
  }

  private void settled(ToolResult result) {
    String id = String.valueOf(result.callId());
    calls.computeIfAbsent(
        id, unknown -> CallLine.of(new ToolCall(unknown, unknown, Json.EMPTY_OBJECT)));
    redraw(id, line -> line.settled(result));
  }

  private void redraw(String id, UnaryOperator<CallLine> change) {
    CallLine line = calls.get(id);
    if (line != null) {
      draw(change.apply(line));
    }
  }

  /// Draws the line anew where it stands, or below the others.
  private void draw(CallLine line) {
    String id = line.call().id();
    calls.put(id, line);
    words.endLine();
    int up = drawn.size() - drawn.indexOf(id);
    if (drawn.contains(id) && up < screen.height()) {
      out.control(Control.up(up));
      out.control(Control.RETURN);
      out.control(Control.CLEAR_LINE);
      print(line);
      out.control(Control.down(up));
      out.control(Control.RETURN);
    } else {
      drawn.remove(id);
      drawn.add(id);
      print(line);
      out.println();
    }
    out.flush();
  }

  private void print(CallLine line) {
    CallLine.Parts parts = line.parts(width());
    out.print(parts.call());
    if (screen.colour() && line.isStyled()) {
      out.control(Control.style(line.style()));
      out.print(parts.status());
      out.control(Control.style(0));
    } else {
      out.print(parts.status());
    }
  }

  private int width() {
    int width = screen.width();
    return width > 20 ? width - 1 : 79;
  }

  @Override
  public synchronized void took(String call, Duration length) {
    if (drawn.contains(call)) {
      redraw(call, line -> line.took(length));
    }
    calls.remove(call);
  }

  @Override
  public synchronized void cancelling() {
    for (String id : List.copyOf(drawn)) {
      redraw(id, line -> line.hint("being cancelled, unless it has to run to its end"));
    }
  }

  @Override
  public synchronized void say(String line) {
    drawn.clear();
    words.endLine();
    out.println(line);
  }

  @Override
  public synchronized void ask(ConsentRequest request) {
    CallLine known = calls.get(request.id());
    CallLine line = (known == null ? CallLine.of(request.call()) : known).waits();
    draw(line);
    if (line.isCut(width())) {
      say("  " + Shown.whole(request.call()));
    }
    say("  " + Shown.question(request, ZonedDateTime.now(ZoneId.systemDefault())));
  }

  @Override
  public synchronized void answered(ConsentRequest request) {
    drawn.clear();
    draw(CallLine.of(request.call()));
  }

  @Override
  public synchronized void rest(String last) {
    drawn.clear();
    words.rest(last);
  }
}
