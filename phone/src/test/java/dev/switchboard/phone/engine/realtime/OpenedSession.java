package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.SimulatedSession;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/// A session that a simulator has taken.
final class OpenedSession implements AutoCloseable {
  static final ToolDefinition STATUS = tool("get_order_status", false);
  static final ToolDefinition RETURN = tool("initiate_return", true);

  final ManualTime time = new ManualTime();
  final EventCollector events = new EventCollector();
  final RealtimeSimulator simulator;
  final OpenAiRealtime engine;
  final EngineSession session;

  private OpenedSession(RealtimeSimulator simulator, Message... history) {
    this.simulator = simulator;
    engine = OpenAiRealtime.of("sk-test-key").withBaseUrl(simulator.url()).withTime(time);
    session = engine.open(setup(history), events);
  }

  /// A session, ready.
  static OpenedSession of(RealtimeSimulator.Builder builder, Message... history) {
    OpenedSession opened = new OpenedSession(builder.start(), history);
    opened.events.await(Ready.class);
    return opened;
  }

  /// A session that something is done with at once, ready.
  static OpenedSession early(RealtimeSimulator.Builder builder, Consumer<EngineSession> atOnce) {
    OpenedSession opened = new OpenedSession(builder.start());
    atOnce.accept(opened.session);
    opened.events.await(Ready.class);
    return opened;
  }

  static Engine.Setup setup(Message... history) {
    return new Engine.Setup("You are a shop.", List.of(STATUS, RETURN), List.of(history));
  }

  private static ToolDefinition tool(String name, boolean strict) {
    Json parameters = Json.text("{\"type\":\"object\",\"properties\":{}}");
    return new ToolDefinition(
        name, "d", parameters, strict, ToolMode.READ, null, null, List.of(), null);
  }

  static EngineSession.Response response(String id) {
    return new EngineSession.Response(id, null, null, null, null, ToolChoice.AUTO);
  }

  static EngineSession.Response aside(String id, String words) {
    return EngineSession.Response.ofWords(id, words);
  }

  /// The other side of the session.
  SimulatedSession peer() {
    return simulator.session();
  }

  /// What the simulator received of a type, once it is so much.
  List<JsonNode> received(String type, int count) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(() -> assertThat(peer().received(type)).hasSizeGreaterThanOrEqualTo(count));
    return peer().received(type);
  }

  @Override
  public void close() {
    session.close();
    simulator.close();
  }
}
