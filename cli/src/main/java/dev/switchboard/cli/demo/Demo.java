package dev.switchboard.cli.demo;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.CallStep;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The seed's reservation agent at work: only the model is recorded, all else happens.
public final class Demo {
  private static final String CONSENT = "consent_request";
  private static final String RECORDED_PORT = "127.0.0.1:9001";

  private final Consumer<Event> events;
  private final List<String> surprises = new ArrayList<>();
  private int turns;

  /// A demonstration whose events go there.
  public Demo(Consumer<Event> events) {
    this.events = events;
  }

  /// Plays the conversation; every way in which it differs from the recorded one, a sentence each.
  ///
  /// @throws IOException when no server can be started on loopback
  public List<String> play() throws IOException {
    try (BookingService service = new BookingService()) {
      AgentFile agent = agent(service.port());
      ToolSession session = ToolSession.builder("demo").events(events).build();
      events.accept(
          new Event.AgentEvent(
              "conversation_started",
              Json.of(
                  Map.of(
                      "agent", agent.agent().name(), "service", "127.0.0.1:" + service.port()))));
      ToolExecutor executor = Switchboard.executor(agent).listener(new Retries()).build();
      for (Recording.Step step : Recording.steps()) {
        take(step, executor, session);
      }
      endTurn();
    }
    return List.copyOf(surprises);
  }

  /// The text of the demonstration's agent file, with the port of its recording.
  public static String agentFile() {
    return Recording.text("agent.toml");
  }

  private static AgentFile agent(int port) throws IOException {
    Path folder = Files.createTempDirectory("switchboard-demo");
    Path file = folder.resolve("agent.toml");
    try {
      String text = agentFile().replace(RECORDED_PORT, "127.0.0.1:" + port);
      Files.writeString(file, text);
      return AgentFile.read(file, List.of(MenuTool.make()));
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  private void take(Recording.Step step, ToolExecutor executor, ToolSession session) {
    switch (step) {
      case Recording.User(var text) -> {
        endTurn();
        turns++;
        session.nextTurn();
        events.accept(new Event.AgentEvent("user", Json.of(Map.of("text", text))));
      }
      case Recording.Say(var text) -> events.accept(new Event.Content(text));
      case Recording.Calls(var calls) -> {
        List<ToolCall> round =
            calls.stream().map(call -> ToolCall.of(call.name(), call.arguments())).toList();
        compare(calls, executor.submitAll(round, session));
      }
      case Recording.Answered(var decision, var ends) -> answer(decision, ends, executor, session);
    }
  }

  private void answer(String decision, String ends, ToolExecutor executor, ToolSession session) {
    for (ConsentRequest request : session.waiting()) {
      events.accept(
          new Event.AgentEvent(
              "consent_answer", Json.of(Map.of("id", request.id(), "decision", decision))));
      Answer answer = decision.equals("approve") ? Answer.approveOnce() : Answer.deny("");
      executor
          .answer(request.id(), answer, session)
          .ifPresent(result -> compare(request.call().name(), ends, result));
    }
  }

  private void compare(List<Recording.Call> recorded, List<CallStep> steps) {
    for (int i = 0; i < recorded.size(); i++) {
      Recording.Call call = recorded.get(i);
      switch (steps.get(i)) {
        case CallStep.Settled(var result) -> compare(call.name(), call.ends(), result);
        case CallStep.Pending(var request) -> compare(call.name(), call.ends(), CONSENT, "");
      }
    }
  }

  private void compare(String tool, String recorded, ToolResult result) {
    String ends =
        result.code() == null ? (result.success() ? "ok" : "error") : result.code().word();
    compare(tool, recorded, ends, ": " + result.text());
  }

  private void compare(String tool, String recorded, String ends, String text) {
    if (!ends.equals(recorded)) {
      surprises.add("%s ended with %s, not %s%s".formatted(tool, ends, recorded, text));
    }
  }

  private void endTurn() {
    if (turns > 0) {
      events.accept(new Event.Done(Json.of(Map.of("stopReason", "end_turn"))));
    }
  }

  private final class Retries implements ExecutionListener {
    @Override
    public void retrying(ToolCall call, int attempt, String cause, Duration pause) {
      Map<String, Object> payload =
          Map.of(
              "taskId", call.id(), "attempt", attempt, "cause", cause, "pauseMs", pause.toMillis());
      events.accept(new Event.AgentEvent("retry", Json.of(payload)));
    }
  }
}
