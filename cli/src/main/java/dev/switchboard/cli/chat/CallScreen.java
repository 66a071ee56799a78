package dev.switchboard.cli.chat;

import dev.switchboard.cli.chat.SafeStream.Control;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.TypedCall;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// A call on the keyboard in lines: the time since its beginning, who or what, and the words.
///
/// Thread-safe.
public final class CallScreen implements TypedCall.Listener, ExecutionListener {
  private static final int WIDTH = 1000;
  private static final int DIM = 2;
  private static final int YELLOW = 33;
  private static final int CYAN = 36;
  private static final int PLAIN = 0;

  private final SafeStream out;
  private final boolean colour;
  private final Time time;
  private final long begun;
  private final Function<String, String> remedy;
  private boolean midLine; // whether the agent's words may go on in the line; guarded by this

  /// A screen on that stream; the call begins now.
  ///
  /// @param colour whether it may have color
  /// @param remedy how an operator answers the request for consent of that call
  public CallScreen(PrintStream out, boolean colour, Time time, Function<String, String> remedy) {
    this.out = SafeStream.over(out);
    this.colour = colour;
    this.time = time;
    this.remedy = remedy;
    begun = time.nanos();
  }

  /// Shows what the caller says.
  public void caller(String words) {
    line("caller", PLAIN, Shown.line(words));
  }

  /// Shows the keys that the caller presses.
  public void keys(String pressed) {
    line("keys", PLAIN, pressed);
  }

  /// Shows a remark about the call.
  public void note(String words) {
    line("note", YELLOW, Shown.line(words));
  }

  private synchronized void line(String who, int style, String words) {
    endLine();
    begin(who, style);
    out.println(words);
    out.flush();
  }

  private void endLine() {
    if (midLine) {
      midLine = false;
      out.println();
    }
  }

  private void begin(String who, int style) {
    long seconds = Duration.ofNanos(time.nanos() - begun).toSeconds();
    out.print("%d:%02d  ".formatted(seconds / 60, seconds % 60));
    boolean styled = colour && style != PLAIN;
    if (styled) {
      out.control(Control.style(style));
    }
    out.print("%-6s  ".formatted(who));
    if (styled) {
      out.control(Control.style(PLAIN));
    }
  }

  @Override
  public synchronized void said(String words, boolean last) {
    String more = words.replaceAll("\\s+", " ");
    String shown = midLine ? more : more.stripLeading();
    if (!shown.isEmpty()) {
      if (!midLine) {
        begin("agent", CYAN);
        midLine = true;
      }
      out.print(shown);
    }
    if (last) {
      endLine();
    }
    out.flush();
  }

  @Override
  public void happened(String type, Json details) {
    JsonNode event = details.tree();
    String id = event.path("id").asString("");
    String tool = event.path("tool").asString("");
    switch (type) {
      case "tool_call" -> {
        JsonNode arguments = event.path("arguments");
        Json json = arguments.isString() ? Json.text(arguments.asString()) : Json.of(arguments);
        line("tool", DIM, Shown.line(tool) + " " + Shown.arguments(new ToolCall(id, tool, json)));
      }
      case "consent_pending" -> note("'" + tool + "' waits for an operator. " + remedy.apply(id));
      default -> {}
    }
  }

  @Override
  public void settled(ExecutionListener.CallRecord call) {
    CallLine settled = CallLine.of(call.call()).settled(call.result()).took(call.took());
    line("tool", DIM, Shown.line(call.call().name()) + " " + settled.parts(WIDTH).status());
  }

  @Override
  public void line(String role, String text) {
    if (role.equals("system")) {
      note(text);
    }
  }

  @Override
  public void ended(String reason, ModelReply.Usage usage) {
    note("The call is over: " + reason);
  }
}
