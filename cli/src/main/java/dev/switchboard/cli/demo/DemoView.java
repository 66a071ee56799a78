package dev.switchboard.cli.demo;

import dev.switchboard.cli.chat.View;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A chat's view that also shows the user's messages, and counts. Thread-safe.
public final class DemoView implements View {
  private final View view;
  private final boolean hints;
  private final Map<String, String> tools = new ConcurrentHashMap<>(); // by the calls' ids
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger results = new AtomicInteger();

  /// @param view shows the agent's messages
  /// @param hints whether progress is shown here, with the tool's name only, and not in the view
  public DemoView(View view, boolean hints) {
    this.view = view;
    this.hints = hints;
  }

  /// The numbers of shown calls and results, as a sentence.
  public String summary() {
    return "%d calls, %d results, one for each.".formatted(calls.get(), results.get());
  }

  @Override
  public void show(Event event) {
    switch (event) {
      case Event.ToolCalled(var call, var auto, var mode) -> {
        calls.incrementAndGet();
        tools.put(call.id(), call.name());
      }
      case Event.ToolSettled settled -> results.incrementAndGet();
      case Event.LoaderHint(var id, var hint, var after) -> hint(id, hint);
      case Event.AgentEvent(var word, var payload) -> agent(word, payload);
      case Event.Content content -> {}
      case Event.Failed failed -> {}
      case Event.BudgetExhausted exhausted -> {}
      case Event.Keepalive alive -> {}
      case Event.Done done -> {}
    }
    if (!(hints && event instanceof Event.LoaderHint)) {
      view.show(event);
    }
  }

  private void hint(String id, String hint) {
    if (hints) {
      view.say("  %s ... %s".formatted(tools.getOrDefault(id, id), hint));
    }
  }

  private void agent(String word, @Nullable Json payload) {
    JsonNode data = payload == null ? Json.EMPTY_OBJECT.tree() : payload.tree();
    switch (word) {
      case "user" -> view.say("\n> " + data.path("text").asString());
      case "consent_answer" -> view.say("> " + data.path("decision").asString());
      case "demo_started" ->
          view.say(
              "Agent '%s', model %s. Its tools talk to a booking service on %s.\n"
                  .formatted(
                      data.path("agent").asString(),
                      data.path("model").asString(),
                      data.path("service").asString()));
      default -> {}
    }
  }

  @Override
  public void took(String call, Duration length) {
    view.took(call, length);
  }

  @Override
  public void say(String line) {
    view.say(line);
  }

  @Override
  public void ask(ConsentRequest request) {
    view.ask(request);
  }

  @Override
  public void answered(ConsentRequest request) {
    view.answered(request);
  }

  @Override
  public void rest(String words) {
    view.rest(words);
  }
}
