package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.engine.EngineEvent.Committed;
import dev.switchboard.phone.engine.EngineEvent.Done;
import dev.switchboard.phone.engine.EngineEvent.Lost;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineEvent.Refused;
import dev.switchboard.phone.engine.EngineEvent.Transcribed;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// A session goes on without the caller's words where the provider does not transcribe as asked.
class RefusedTranscriberTest {
  private static final Transcriber GONE = new Transcriber("gpt-gone", List.of("de"), List.of());

  private final EventCollector events = new EventCollector();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Logger log = Logger.getLogger(OpenAiRealtime.class.getName());
  private final Handler collector =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getLevel() == Level.WARNING) {
            warnings.add(entry.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    log.addHandler(collector);
  }

  @AfterEach
  void close() throws Exception {
    log.removeHandler(collector);
    for (AutoCloseable opened : open.reversed()) {
      opened.close();
    }
  }

  private RealtimeSimulator simulator() {
    RealtimeSimulator simulator =
        RealtimeSimulator.builder().replies(Reply.say("Hi"), Reply.say("Ho")).start();
    open.add(simulator);
    return simulator;
  }

  private EngineSession session(OpenAiRealtime engine) {
    EngineSession session = engine.open(OpenedSession.setup(), events);
    open.add(session);
    return session;
  }

  private static OpenAiRealtime engine(String url, @Nullable Transcriber transcriber) {
    OpenAiRealtime engine = OpenAiRealtime.of("sk-test-key").withBaseUrl(url);
    return transcriber == null ? engine.withoutTranscriber() : engine.withTranscriber(transcriber);
  }

  private static JsonNode transcription(JsonNode update) {
    return update.at("/session/audio/input/transcription");
  }

  @ParameterizedTest
  @CsvSource({"gpt-gone, ''", "gpt-realtime-whisper, Lange Gasse"})
  void theSessionIsSetUpWithoutARefusedTranscriber(String name, String keyword) {
    RealtimeSimulator simulator = simulator();
    List<String> keywords = keyword.isEmpty() ? List.of() : List.of(keyword);
    EngineSession session =
        session(engine(simulator.url(), new Transcriber(name, List.of("de"), keywords)));

    events.await(Ready.class);
    session.create(OpenedSession.response("r1"));
    events.await(Done.class);
    simulator.session().callerSaid("Hello?");
    events.await(Committed.class);
    assertThat(events.all(Transcribed.class)).isEmpty();
    List<JsonNode> updates = simulator.session().received("session.update");
    assertThat(transcription(updates.getFirst()).path("model").stringValue()).isEqualTo(name);
    assertThat(transcription(updates.getLast()).isMissingNode()).isTrue();
    assertThat(events.all(Lost.class)).isEmpty();
    assertThat(events.all(Refused.class)).isEmpty();
    assertThat(warnings)
        .filteredOn(warning -> warning.contains("transcri"))
        .singleElement()
        .asString()
        .contains("'" + name + "'", "invalid_value", "without the callers' words");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "model_not_found|No access to model 'gpt-transcribe'.|",
        "insufficient_quota|Input audio transcription failed.|",
        "invalid_value|Invalid value.|session.audio.input.transcription.model"
      })
  void aSessionInProgressStopsTranscribing(String code, String message, @Nullable String param) {
    RealtimeSimulator simulator = simulator();
    EngineSession session = session(engine(simulator.url(), Transcriber.USUAL));
    events.await(Ready.class);
    simulator.session().error(code, message, param, null);
    session.create(OpenedSession.response("r1"));

    events.await(Done.class);
    JsonNode update = simulator.session().received("session.update").getLast();
    assertThat(transcription(update).isNull()).isTrue();
    assertThat(simulator.session().session().at("/audio/input/transcription").isNull()).isTrue();
    assertThat(events.all(Lost.class)).isEmpty();
    assertThat(events.all(Refused.class)).isEmpty();
  }

  @Test
  void anErrorOfAnotherMessageIsNotOfTheTranscriber() {
    RealtimeSimulator simulator = simulator();
    EngineSession session = session(engine(simulator.url(), Transcriber.USUAL));
    events.await(Ready.class);
    simulator
        .session()
        .error("x", "It says gpt-transcribe and transcription.", null, "response_r1");

    assertThat(events.await(Refused.class).request()).isEqualTo("r1");
    session.create(OpenedSession.response("r2"));
    events.await(Done.class);
    simulator.session().error("x", "It says gpt-transcribe.", "response.input", null);
    events.await(Refused.class, 2);
    assertThat(simulator.session().session().at("/audio/input/transcription/model").stringValue())
        .isEqualTo("gpt-transcribe");
  }

  @Test
  void aSecondErrorAboutItIsLikeAnyOther() {
    RealtimeSimulator simulator = simulator();
    EngineSession unused = session(engine(simulator.url(), Transcriber.USUAL));
    events.await(Ready.class);
    simulator.session().error("x", "No transcription.", null, null);
    simulator.session().error("y", "No transcription.", null, null);

    assertThat(events.await(Refused.class).code()).isEqualTo("y");
  }

  /// A provider may close the connection as well.
  @Test
  void afterALostConnectionTheNextSessionDoesNotAskForIt() {
    List<String> updates = new CopyOnWriteArrayList<>();
    RawEngine server =
        new RawEngine(peer -> {
          peer.upgrade().text("{\"type\":\"session.created\"}");
          updates.add(peer.read());
          peer.text(
              "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"code\":\"invalid_model\",\"message\":\"Model"
                  + " 'gpt-gone' is not supported in transcription mode.\"}}");
          byte[] reason = "  invalid_request_error.invalid_model".getBytes(StandardCharsets.UTF_8);
          reason[0] = (byte) (4000 >> 8);
          reason[1] = (byte) 4000;
          peer.frame(RawEngine.CLOSE, reason).drain();
        });
    open.add(server);
    OpenAiRealtime engine = engine(server.url(), GONE);
    EngineSession first = session(engine);

    assertThat(events.await(Lost.class).fatal()).isFalse();
    EngineSession second = session(engine);
    assertThat(second).isNotSameAs(first);
    // There is nothing left that the provider could dislike about it.
    assertThat(events.await(Lost.class, 2).getLast().fatal()).isTrue();
    assertThat(updates.getFirst()).contains("\"transcription\":{\"model\":\"gpt-gone\"");
    assertThat(updates.getLast()).doesNotContain("transcription");
  }

  @Test
  void withoutATranscriberNothingIsTranscribed() {
    RealtimeSimulator simulator = simulator();
    EngineSession unused = session(engine(simulator.url(), null));

    events.await(Ready.class);
    JsonNode update = simulator.session().received("session.update").getLast();
    assertThat(transcription(update).isMissingNode()).isTrue();
    assertThat(events.all(Lost.class)).isEmpty();
  }
}
