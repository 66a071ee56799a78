package dev.switchboard.phone.testing;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.Line;
import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.phone.carrier.TextLine;
import dev.switchboard.phone.carrier.twilio.Twilio;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/// A server with the routes of a simulated account, and who takes its calls.
final class Desk implements Carrier.Switch, AutoCloseable {
  static final String URL = "https://phone.example.com";
  static final Duration PATIENCE = Duration.ofMinutes(5);

  /// An event of a call, and when it came.
  record Told(CarrierEvent event, long nanos) {}

  final TwilioSimulator simulator;
  final Twilio twilio;
  final Server server;
  final List<Carrier.Arrival> arrivals = new CopyOnWriteArrayList<>();
  private final Map<String, Queue<Told>> told = new ConcurrentHashMap<>();
  volatile Carrier.Admission admission = new Carrier.Admission.Taken(new Medium.Audio());

  Desk(double speed) {
    simulator = TwilioSimulator.start(speed);
    // No socket counts as silent where the machine stops for a while.
    twilio = simulator.carrier().withTime(new ManualTime());
    server = serve(twilio.routes(URL, this));
    simulator.tunnel(URL, address());
  }

  /// A server of these routes.
  static Server serve(List<Mount> routes) {
    try {
      Path folder = Files.createTempDirectory("desk");
      Tokens tokens = Tokens.open(folder.resolve("tokens"), null, Time.SYSTEM);
      Files.delete(folder); // nobody is let in by a token here
      Agent agent =
          Agent.builder("Desk")
              .model(new ScriptedModel())
              .store(new InProcessConversations())
              .build();
      return Server.builder(tokens)
          .agents(agent)
          .port(0)
          .mount(routes.toArray(Mount[]::new))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.port();
  }

  @Override
  public Carrier.Admission arrived(Carrier.Arrival arrival) {
    arrivals.add(arrival);
    return admission;
  }

  @Override
  public void post(String call, CarrierEvent event) {
    told.computeIfAbsent(call, any -> new ConcurrentLinkedQueue<>())
        .add(new Told(event, System.nanoTime()));
  }

  SimulatedCall call() {
    return simulator.call(URL, "+15551110000", "+15552220000");
  }

  /// The line of a call, once it is there.
  AudioLine line(SimulatedCall call, int which) {
    return (AudioLine) anyLine(call, which);
  }

  /// The line of text of a call, once it is there.
  TextLine words(SimulatedCall call, int which) {
    return (TextLine) anyLine(call, which);
  }

  private Line anyLine(SimulatedCall call, int which) {
    Awaitility.await().until(() -> events(call, CarrierEvent.Connected.class).size() >= which);
    return events(call, CarrierEvent.Connected.class).get(which - 1).line();
  }

  AudioLine line(SimulatedCall call) {
    return line(call, 1);
  }

  Collection<Told> told(SimulatedCall call) {
    return told.getOrDefault(call.id(), new ConcurrentLinkedQueue<>());
  }

  /// How many calls anything was told of.
  int calls() {
    return told.size();
  }

  <T extends CarrierEvent> List<T> events(SimulatedCall call, Class<T> kind) {
    return told(call).stream().map(Told::event).filter(kind::isInstance).map(kind::cast).toList();
  }

  /// All that was heard of a caller, joined.
  byte[] heard(SimulatedCall call) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    events(call, CarrierEvent.Heard.class).forEach(heard -> out.writeBytes(heard.audio()));
    return out.toByteArray();
  }

  @Override
  public void close() {
    simulator.close();
    server.close();
  }
}
