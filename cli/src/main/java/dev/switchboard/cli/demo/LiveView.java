package dev.switchboard.cli.demo;

import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The events as a person reads them, a line each as they happen. Safe for use by several threads.
public final class LiveView {
  private static final int WIDTH = 150;

  private final PrintStream out;
  private final boolean colour;
  private final Map<String, String> names = new ConcurrentHashMap<>(); // call id, tool
  private int calls; // guarded by this
  private int results; // guarded by this

  /// A view on that output.
  public LiveView(PrintStream out, boolean colour) {
    this.out = out;
    this.colour = colour;
  }

  /// Shows an event.
  public synchronized void show(Event event) {
    switch (event) {
      case Event.Content(var content) -> line("agent", 1, content);
      case Event.ToolCalled(var call, var auto) -> call(call);
      case Event.LoaderHint(var id, var hint) -> line("", 2, of(id) + "... " + hint);
      case Event.ToolSettled(var result) -> result(result);
      case Event.AgentEvent(var word, var payload) -> agent(word, payload);
      case Event.Failed(var message, var code, var details) -> line("error", 31, message);
      case Event.BudgetExhausted(var message, var code) -> line("limit", 31, message);
      case Event.Keepalive() -> {}
      case Event.Done(var payload) -> {}
    }
  }

  /// How many calls and results were shown, as a sentence.
  public synchronized String summary() {
    return "%d calls, %d results, one for each.".formatted(calls, results);
  }

  private void call(ToolCall call) {
    calls++;
    names.put(call.id(), call.name());
    line("call", 36, call.name() + " " + call.arguments().text());
  }

  private void result(ToolResult result) {
    results++;
    String id = String.valueOf(result.callId());
    if (result.success()) {
      line("", 32, of(id) + "ok " + result.text());
    } else {
      String code = result.code() == null ? "failed" : result.code().word();
      line("", 31, of(id) + code + ": " + result.error());
    }
  }

  private String of(String id) {
    return names.getOrDefault(id, id) + ": ";
  }

  private void agent(String word, @Nullable Json payload) {
    JsonNode data = payload == null ? Json.EMPTY_OBJECT.tree() : payload.tree();
    switch (word) {
      case "user" -> {
        out.println();
        line("you", 1, data.path("text").asString());
      }
      case "retry" ->
          line(
              "",
              33,
              "%sattempt %d failed (%s), again in %d ms"
                  .formatted(
                      of(data.path("taskId").asString()),
                      data.path("attempt").asInt(),
                      data.path("cause").asString(),
                      data.path("pauseMs").asLong()));
      case "consent_request" ->
          line("ask", 35, of(data.path("id").asString()) + data.path("reason").asString());
      case "consent_answer" -> line("you", 35, data.path("decision").asString());
      default ->
          out.println(
              "Agent '%s'. Its tools talk to a booking service on %s; only the model is recorded."
                  .formatted(data.path("agent").asString(), data.path("service").asString()));
    }
  }

  private void line(String who, int style, String text) {
    String shown = text.length() > WIDTH ? text.substring(0, WIDTH) + "..." : text;
    String styled = colour ? "\u001b[" + style + "m" + shown + "\u001b[0m" : shown;
    out.println("%-6s %s".formatted(who, styled));
  }
}
