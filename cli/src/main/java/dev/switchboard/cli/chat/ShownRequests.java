package dev.switchboard.cli.chat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The requests for consent that a chat has shown and that still wait, as far as it knows. They may
/// also be answered elsewhere, which is reported. For one thread.
final class ShownRequests {
  private final View view;
  private final ChatOptions manner;
  private List<ConsentRequest> shown = List.of();

  ShownRequests(View view, ChatOptions manner) {
    this.view = view;
    this.manner = manner;
  }

  /// The request that a one-word answer is for, null if none waits.
  @Nullable ConsentRequest first() {
    return shown.isEmpty() ? null : shown.getFirst();
  }

  boolean contains(ConsentRequest request) {
    return shown.contains(request);
  }

  void clear() {
    shown = List.of();
  }

  /// The prompt for the next answer.
  String prompt() {
    return (shown.size() > 1 ? shown.getFirst().id() + " " : "") + "y/n/always> ";
  }

  /// Shows the waiting requests that are not shown yet.
  void show(List<ConsentRequest> requests) {
    if (!requests.equals(shown)) {
      requests.forEach(this::ask);
      if (manner.typed()) {
        String which = requests.size() == 1 ? "" : " for " + requests.getFirst().id();
        view.say(
            "  y, n or always%s; or /approve [ID] [--for 10m|--always], /deny [ID] [REASON]"
                .formatted(which));
        view.say(
            "  always: approve similar calls from now on, in every conversation of this agent");
      }
    }
    shown = requests;
    view.rest("");
  }

  private void ask(ConsentRequest request) {
    view.ask(request);
    if (!manner.typed()) {
      remedy(request);
    }
  }

  /// Shows what answers a request, after a line that does not.
  void hint() {
    if (manner.typed() && !shown.isEmpty()) {
      view.say("  y, n or always answers it, or /approve and /deny");
    }
  }

  /// Shows how to answer a request from elsewhere, if that is possible.
  void remedy(ConsentRequest request) {
    UnaryOperator<String> remedy = manner.remedy();
    if (remedy != null) {
      view.say("  " + remedy.apply(request.id()));
    }
  }

  /// Reports those whose results are stored.
  void reportStored() {
    for (ConsentRequest request : shown) {
      ToolResult stored = manner.results().apply(request.id());
      if (stored != null) {
        reportClosed(stored, request.call().name());
      }
    }
  }

  /// A receiver of events that reports the closing of requests, and passes other events on.
  Consumer<Event> reporting(Consumer<Event> others) {
    List<String> ids = shown.stream().map(ConsentRequest::id).toList();
    return event -> {
      if (event instanceof Event.ToolSettled(var result, var tool)
          && ids.contains(result.callId())) {
        reportClosed(result, tool);
      } else if (event instanceof Event.AgentEvent(var word, Json payload)
          && word.equals(ConsentAnswer.EVENT)
          && payload != null) {
        reportAnswered(Records.read(payload.tree(), ConsentAnswer.class));
      } else {
        others.accept(event);
      }
    };
  }

  private void reportAnswered(ConsentAnswer answer) {
    if (!answer.by().equals(ResultCode.CONSENT_TIMEOUT.word())) {
      view.say("The request '%s' %s.".formatted(answer.id(), answer.words()));
    }
  }

  private void reportClosed(ToolResult result, String tool) {
    view.show(new Event.ToolSettled(result, tool));
    boolean late = result.code() == ResultCode.CONSENT_TIMEOUT;
    view.say(
        "The request for consent to '%s' %s."
            .formatted(result.callId(), late ? "has expired" : "was answered elsewhere"));
  }
}
