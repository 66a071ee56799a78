package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.engine.EngineEvent;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/// Keeps what an engine tells.
final class EventCollector implements Consumer<EngineEvent> {

  private final List<EngineEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void accept(EngineEvent event) {
    events.add(event);
  }

  List<EngineEvent> all() {
    return List.copyOf(events);
  }

  <T extends EngineEvent> List<T> all(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /// The events of a type once there are so many.
  <T extends EngineEvent> List<T> await(Class<T> type, int count) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(
            () -> assertThat(all(type)).as("%s", events).hasSizeGreaterThanOrEqualTo(count));
    return all(type);
  }

  /// The first event of a type, once it is there.
  <T extends EngineEvent> T await(Class<T> type) {
    return await(type, 1).getFirst();
  }

  /// The audio of a response so far.
  byte[] audio(String response) {
    ByteArrayOutputStream audio = new ByteArrayOutputStream();
    all(EngineEvent.Audio.class).stream()
        .filter(piece -> piece.response().equals(response))
        .forEach(piece -> audio.writeBytes(piece.audio()));
    return audio.toByteArray();
  }
}
