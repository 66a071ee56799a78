package dev.switchboard.cli.chat;

import dev.switchboard.cli.chat.SafeStream.Control;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.PrintStream;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// The view for a terminal: the agent's text as it arrives; a line for each call, redrawn in place
/// until it is settled; and the elapsed seconds while nothing else changes.
final class LiveView implements View {
  private static final int DIM = 2;

  private final SafeStream out;
  private final Screen screen;
  private final Time time;
  private final StreamedText words;
  private final Map<String, CallLine> calls = new HashMap<>(); // guarded by this
  private final List<String> drawn = new ArrayList<>(); // ids of the lowest lines; guarded by this
  private final Map<String, Long> running = new HashMap<>(); // since when; guarded by this
  private final List<Change> changes = new ArrayList<>(); // still to be shown; guarded by this
  private boolean works; // guarded by this
  private String counted = ""; // the seconds in the lowest line; guarded by this
  private final Map<String, String> counts = new HashMap<>(); // of running calls; guarded by this
  private long quietSince; // guarded by this

  /// A screen, whose size may change.
  interface Screen {
    /// The number of columns.
    int width();

    /// The number of lines.
    int height();

    /// Whether it supports color.
    boolean colour();
  }

  LiveView(PrintStream out, Screen screen, Time time) {
    this.out = SafeStream.over(out);
    this.screen = screen;
    this.time = time;
    words = new StreamedText(this.out, screen::width, screen.colour());
  }

  @Override
  public synchronized void show(Event event) {
    String notice = event instanceof Event.AgentEvent agent ? Shown.notice(agent) : null;
    if (event instanceof Event.AgentEvent && notice == null) {
      return;
    }
    begin();
    switch (event) {
      case Event.Content(var text) -> {
        drawn.clear();
        words.print(text);
      }
      case Event.ToolCalled(var call, var auto, var mode) -> {
        running.put(call.id(), time.nanos());
        draw(CallLine.of(call));
      }
      case Event.LoaderHint(var id, var hint, var after) -> redraw(id, line -> line.hint(hint));
      case Event.ToolSettled(var result, var tool) -> settled(result, tool);
      case Event.Failed(var message, var code, var details) -> line(message);
      case Event.BudgetExhausted(var message, var code, var details) -> line(message);
      case Event.Done(var payload) -> words.endLine();
      case Event.AgentEvent agent -> line(notice == null ? "" : notice);
      case Event.Keepalive() -> {}
    }
  }

  private void settled(ToolResult result, String tool) {
    String id = String.valueOf(result.callId());
    running.remove(id);
    calls.computeIfAbsent(
        id, unknown -> CallLine.of(new ToolCall(unknown, tool, Json.EMPTY_OBJECT)));
    redraw(id, line -> line.settled(result));
    changes.add(Change.of(result));
  }

  /// Before any output: removes the seconds, and shows changes of earlier calls.
  private void begin() {
    quietSince = time.nanos();
    if (!counted.isEmpty()) {
      clearLine();
      counted = "";
    }
    List<Change> pending = List.copyOf(changes);
    changes.clear();
    for (Change change : pending) {
      change.lines(screen.width()).forEach(this::line);
    }
  }

  private void line(Change.Line line) {
    if (line.style() == 0 || !screen.colour()) {
      line(line.toString());
      return;
    }
    drawn.clear();
    words.endLine();
    out.print("    ");
    styled(line.style(), String.valueOf(line.sign()));
    out.println(" " + line.text());
  }

  private void styled(int style, String text) {
    out.control(Control.style(style));
    out.print(text);
    out.control(Control.style(0));
  }

  private void redraw(String id, UnaryOperator<CallLine> change) {
    CallLine line = calls.get(id);
    if (line != null) {
      draw(change.apply(line));
    }
  }

  /// Redraws the line in place, or below the others.
  private void draw(CallLine line) {
    String id = line.call().id();
    calls.put(id, line);
    words.endLine();
    if (isOnScreen(id)) {
      int up = drawn.size() - drawn.indexOf(id);
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
    Long since = running.get(line.call().id());
    CallLine.Parts parts = line.parts(width(), since == null ? "" : seconds(since));
    out.print(parts.call());
    if (screen.colour() && line.isStyled()) {
      styled(line.style(), parts.status());
    } else {
      out.print(parts.status());
    }
  }

  private boolean isOnScreen(String id) {
    return drawn.contains(id) && drawn.size() - drawn.indexOf(id) < screen.height();
  }

  /// For example ` 3 s`; empty within the first second.
  private String seconds(long since) {
    long whole = (time.nanos() - since) / 1_000_000_000;
    return whole < 1 ? "" : " " + whole + " s";
  }

  @Override
  public synchronized void working(boolean nowWorks) {
    begin();
    works = nowWorks;
    running.clear();
    counts.clear();
  }

  @Override
  public synchronized void tick() {
    if (!works) {
      return;
    }
    List<String> shown = running.keySet().stream().filter(this::isOnScreen).toList();
    shown.forEach(this::count);
    String seconds = seconds(quietSince);
    if (shown.isEmpty() && !words.midLine() && !seconds.equals(counted)) {
      clearLine();
      if (screen.colour()) {
        styled(DIM, "  ..." + seconds);
      } else {
        out.print("  ..." + seconds);
      }
      out.flush();
      counted = seconds;
    }
  }

  private void count(String id) {
    String seconds = seconds(running.getOrDefault(id, time.nanos()));
    if (!seconds.equals(counts.put(id, seconds)) && !seconds.isEmpty()) {
      redraw(id, line -> line);
    }
  }

  private void clearLine() {
    out.control(Control.RETURN);
    out.control(Control.CLEAR_LINE);
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
    begin();
  }

  @Override
  public synchronized void cancelling() {
    begin();
    for (String id : List.copyOf(drawn)) {
      redraw(id, line -> line.hint("being cancelled, unless it has to run to its end"));
    }
  }

  @Override
  public synchronized void say(String line) {
    begin();
    line(line);
  }

  private void line(String line) {
    drawn.clear();
    words.say(line);
  }

  @Override
  public synchronized void ask(ConsentRequest request) {
    begin();
    running.remove(request.id());
    CallLine shown = calls.get(request.id());
    CallLine line = (shown == null ? CallLine.of(request.call()) : shown).waits();
    draw(line);
    if (line.isCut(width())) {
      say("  " + Shown.whole(request.call()));
    }
    say("  " + Shown.question(request, time.now().atZone(ZoneId.systemDefault())));
  }

  @Override
  public synchronized void answered(ConsentRequest request) {
    begin();
    drawn.clear();
    running.put(request.id(), time.nanos());
    draw(CallLine.of(request.call()));
  }

  @Override
  public synchronized void rest(String last) {
    begin();
    drawn.clear();
    words.rest(last);
  }
}
