package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.model.Message;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineEvent.Lost;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import okhttp3.OkHttpClient;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Servers that are broken or mean harm.
class HostileEngineTest {
  private final ManualTime time = new ManualTime();
  private final EventCollector events = new EventCollector();
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable RawEngine server;
  private @Nullable EngineSession session;

  @AfterEach
  void close() {
    end.countDown();
    if (session != null) {
      session.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private EngineSession open(RawEngine.Behaviour behaviour) {
    return open(behaviour, EngineSockets.client());
  }

  private EngineSession open(RawEngine.Behaviour behaviour, OkHttpClient client) {
    server = new RawEngine(behaviour);
    OpenAiRealtime engine =
        OpenAiRealtime.of("sk-test-key")
            .withBaseUrl(server.url())
            .withTime(time)
            .withClient(client);
    session = engine.open(new Engine.Setup("Hello.", List.of(), List.of()), events);
    return session;
  }

  private static EngineSession.Response response(String id) {
    return new EngineSession.Response(id, null, null, null, null, ToolChoice.AUTO);
  }

  private void hold() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String done(String id) {
    return "{\"type\":\"response.done\",\"response\":{\"id\":\""
        + id
        + "\",\"status\":\"completed\"}}";
  }

  /// What says nothing: the session goes on with the next message.
  static Stream<String> nonsense() {
    return Stream.of(
        "",
        "garbage",
        "null",
        "[]",
        "\"response.done\"",
        "{",
        "{\"type\":",
        "{\"type\":1}",
        "{\"type\":null,\"response\":{\"id\":\"r\"}}",
        "{\"type\":\"response.done\"}",
        "{\"type\":\"response.done\",\"response\":[]}",
        "{\"type\":\"response.done\",\"response\":{\"id\":7}}",
        "{\"type\":\"response.done\",\"response\":{\"id\":\"" + "x".repeat(513) + "\"}}",
        "{\"type\":\"response.created\",\"response\":{\"metadata\":{}}}",
        "{\"type\":\"response.output_audio.delta\"}",
        "{\"type\":\"response.output_audio.delta\",\"response_id\":\"r\",\"item_id\":\"i\",\"delta\":5}",
        "{\"type\":\"response.output_audio.delta\",\"response_id\":\"r\",\"item_id\":\"i\",\"delta\":\"%%\"}",
        "{\"type\":\"response.output_audio.delta\",\"response_id\":\"r\",\"item_id\":\"i\",\"delta\":\"AAA\\u0000\"}",
        "{\"type\":\"response.output_audio.delta\",\"response_id\":{},\"item_id\":\"i\",\"delta\":\"AAAA\"}",
        "{\"type\":\"response.output_audio.delta\",\"response_id\":\"r\",\"item_id\":\"i\",\"content_index\":-1,\"delta\":\"AAAA\"}",
        "{\"type\":\"response.output_audio.delta\",\"response_id\":\"r\",\"item_id\":\"i\",\"content_index\":99999999999,\"delta\":\"AAAA\"}",
        "{\"type\":\"response.output_audio.delta\",\"x\":" + "[".repeat(100_000),
        "{\"type\":\"response.output_audio_transcript.delta\",\"delta\":{}}",
        "{\"type\":\"response.output_item.done\",\"item\":{\"type\":\"function_call\",\"status\":\"completed\"}}",
        "{\"type\":\"response.output_item.done\",\"response_id\":\"r\",\"item\":{\"type\":\"function_call\",\"status\":\"incomplete\",\"call_id\":\"c\"}}",
        "{\"type\":\"response.function_call_arguments.done\",\"response_id\":\"r\",\"call_id\":\"c\",\"name\":\"n\",\"arguments\":\"{}\"}",
        "{\"type\":\"input_audio_buffer.committed\"}",
        "{\"type\":\"conversation.item.input_audio_transcription.completed\"}",
        "{\"type\":\"session.created\",\"session\":{}}",
        "{\"type\":\"session.updated\",\"session\":{}}",
        "{\"type\":\"brand.new.event\",\"x\":" + "[".repeat(150) + "]".repeat(150) + "}",
        "{\"type\":\"x\",\"type\":\"response.done\",\"response\":{\"id\":\"r\"}}",
        "[".repeat(1_000_000),
        "{\"a\":" + "9".repeat(2_000) + "}",
        "{\"type\":\"response.done\",\"response\":{\"id\":1e999999999}}");
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseSaysNothing(String message) {
    open(peer -> peer.session().text(message).text(done("after")).drain());

    assertThat(events.await(EngineEvent.Done.class).response()).isEqualTo("after");
    assertThat(events.all()).hasSize(2);
  }

  @Test
  void binaryMessagesSayNothing() {
    open(peer -> peer.session().frame(RawEngine.BINARY, new byte[10]).text(done("after")).drain());

    assertThat(events.await(EngineEvent.Done.class).response()).isEqualTo("after");
  }

  @Test
  void wordsMayBeCutInTheMiddleOfACharacter() {
    open(peer ->
        peer.session()
            .text(
                "{\"type\":\"response.output_audio_transcript.delta\",\"response_id\":\"r\",\"item_id\":\"i\",\"delta\":\"\\ud83d\"}")
            .text(
                "{\"type\":\"response.output_audio_transcript.done\",\"response_id\":\"r\",\"item_id\":\"i\",\"transcript\":\"\\ud83d\"}")
            .drain());

    assertThat(events.await(EngineEvent.Spoken.class).text()).isEqualTo("\ufffd");
    assertThat(events.await(EngineEvent.Words.class).delta()).isEqualTo("\ud83d");
  }

  @Test
  void wrongTypesAroundAResponseAreTakenAsNothing() {
    open(peer ->
        peer.session()
            .text(
                "{\"type\":\"response.done\",\"response\":{\"id\":\"r\",\"status\":9,\"status_details\":\"x\",\"usage\":{\"input_tokens\":-5,\"output_tokens\":\"y\"}}}")
            .text("{\"type\":\"error\"}")
            .text(
                "{\"type\":\"error\",\"error\":{\"code\":{},\"message\":\"a\\nb\\u0000\",\"event_id\":5}}")
            .drain());

    List<EngineEvent.Refused> refused = events.await(EngineEvent.Refused.class, 2);
    assertThat(refused.getFirst()).isEqualTo(new EngineEvent.Refused(null, "error", ""));
    assertThat(refused.getLast()).isEqualTo(new EngineEvent.Refused(null, "error", "a b"));
    EngineEvent.Done done = events.await(EngineEvent.Done.class);
    assertThat(done.status()).isEqualTo(EngineEvent.Status.FAILED);
    assertThat(done.usage().input()).isZero();
  }

  static Stream<Map.Entry<String, RawEngine.Behaviour>> endings() {
    RawEngine.Behaviour atOnce = peer -> {};
    RawEngine.Behaviour afterRequest = RawEngine.Peer::request;
    RawEngine.Behaviour afterUpgrade = RawEngine.Peer::upgrade;
    RawEngine.Behaviour afterCreated =
        peer -> peer.upgrade().text("{\"type\":\"session.created\"}");
    RawEngine.Behaviour afterUpdate =
        peer -> peer.upgrade().text("{\"type\":\"session.created\"}").read();
    RawEngine.Behaviour afterReady = RawEngine.Peer::session;
    RawEngine.Behaviour inAFrame = peer -> peer.session().head(RawEngine.TEXT, 1_000_000);
    RawEngine.Behaviour notHttp = peer -> peer.bytes("SSH-2.0-OpenSSH_9.2\r\n");
    RawEngine.Behaviour masked = peer -> peer.session().raw(new byte[] {(byte) 0x81, (byte) 0x85});
    RawEngine.Behaviour compressed = peer -> peer.session().frame(0xC1, new byte[] {1, 2, 3, 4, 5});
    return Stream.of(
        Map.entry("at once", atOnce),
        Map.entry("after the request", afterRequest),
        Map.entry("after the upgrade", afterUpgrade),
        Map.entry("after the session began", afterCreated),
        Map.entry("after the update", afterUpdate),
        Map.entry("when it is ready", afterReady),
        Map.entry("in a frame", inAFrame),
        Map.entry("with another protocol", notHttp),
        Map.entry("with a masked frame", masked),
        Map.entry("with a compressed frame", compressed));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void aConnectionThatEndsIsLostOnceAndNotForGood(Map.Entry<String, RawEngine.Behaviour> ending) {
    open(peer -> {
      ending.getValue().on(peer);
      if (ending.getKey().startsWith("with")) {
        hold();
      }
    });

    Lost lost = events.await(Lost.class);
    assertThat(lost.fatal()).isFalse();
    assertThat(lost.code()).isIn("unreachable", "connection_lost");
    session.create(response("r"));
    session.send(new byte[160]);
    assertThat(events.all(Lost.class)).hasSize(1);
    assertThat(events.all().getLast()).isEqualTo(lost);
  }

  @Test
  void anUnaskedExtensionIsNotSpoken() {
    // A bomb of zeros: with the extension it would be inflated.
    open(peer -> {
      peer.upgrade("Sec-WebSocket-Extensions: permessage-deflate\r\n")
          .text("{\"type\":\"session.created\"}");
      peer.read();
      peer.text(RawEngine.UPDATED).frame(0xC1, new byte[1000]);
      hold();
    });

    assertThat(events.await(Lost.class).code()).isEqualTo("connection_lost");
  }

  @Test
  void offersNoCompression() {
    List<String> heads = new java.util.concurrent.CopyOnWriteArrayList<>();
    open(peer -> {
      heads.addAll(peer.request());
      peer.bytes("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
    });
    Lost lost = events.await(Lost.class);

    assertThat(lost.code()).isEqualTo("http_503");
    assertThat(lost.fatal()).isFalse();
    assertThat(heads).contains("Authorization: Bearer sk-test-key");
    assertThat(heads)
        .noneMatch(line -> line.toLowerCase(java.util.Locale.ROOT).contains("extensions"));
    assertThat(heads)
        .noneMatch(line -> line.toLowerCase(java.util.Locale.ROOT).contains("openai-beta"));
    assertThat(heads.getFirst()).isEqualTo("GET /v1/realtime?model=gpt-realtime-2.1 HTTP/1.1");
  }

  @Test
  void anEndlessMessageIsGivenUp() {
    open(peer -> {
      peer.session().head(RawEngine.TEXT, 1L << 40);
      byte[] zeros = new byte[1 << 16];
      for (int i = 0; i < 1_000; i++) {
        peer.raw(zeros);
      }
      hold();
    });

    assertThat(events.await(Lost.class).code()).isEqualTo("too_long");
  }

  @Test
  void aFloodOfFragmentsIsGivenUp() {
    open(peer -> {
      peer.session().frame(0x01, new byte[1]);
      byte[] fragments = new byte[6 * 10_000];
      while (true) {
        peer.raw(fragments); // of no length, with opcode 0 and no end
      }
    });

    assertThat(events.await(Lost.class).code()).isEqualTo("too_long");
  }

  @Test
  void longMessagesBelowTheLimitAreTaken() {
    String audio = "AAAA".repeat(3_000_000);
    open(peer ->
        peer.session()
            .text(
                "{\"type\":\"response.output_audio.delta\",\"response_id\":\"r\",\"item_id\":\"i\",\"delta\":\""
                    + audio
                    + "\"}")
            .drain());

    assertThat(events.await(EngineEvent.Audio.class).audio()).hasSize(9_000_000);
  }

  @Test
  void aServerThatNeverAnswersIsGivenUpAfter15Seconds() {
    open(peer -> hold());
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(14_999));
    assertThat(events.all()).isEmpty();
    time.advance(Duration.ofMillis(1));

    Lost lost = events.await(Lost.class);
    assertThat(lost.code()).isEqualTo("timeout");
    assertThat(lost.fatal()).isTrue();
  }

  @Test
  void aServerThatAnswersNoPingIsGone() {
    OkHttpClient impatient =
        EngineSockets.client().newBuilder().pingInterval(Duration.ofMillis(100)).build();
    open(
        peer -> {
          peer.session();
          hold();
        },
        impatient);

    Lost lost = events.await(Lost.class);
    assertThat(lost.code()).isEqualTo("connection_lost");
    assertThat(lost.fatal()).isFalse();
  }

  @Test
  void aServerThatReadsNothingIsGivenUp() {
    open(peer -> {
      peer.session();
      hold();
    });
    events.await(Ready.class);
    String much = "x".repeat(1 << 20);
    for (int i = 0; i < 20; i++) {
      session.output(new Message.Result("c" + i, "t", much, true));
    }
    for (int i = 0; i < 200; i++) {
      session.send(new byte[160]);
    }

    assertThat(events.await(Lost.class).code()).isEqualTo("stalled");
    assertThat(session.dropped()).isBetween(2_900L, 3_000L);
  }

  @Test
  void aServerThatDoesNotReadAudioIsGone() {
    OkHttpClient impatient =
        EngineSockets.client().newBuilder().writeTimeout(Duration.ofMillis(200)).build();
    open(
        peer -> {
          peer.session();
          hold();
        },
        impatient);
    events.await(Ready.class);
    byte[] second = new byte[8_000];
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> {
          for (int i = 0; i < 100; i++) {
            session.send(second);
          }
          return !events.all(Lost.class).isEmpty();
        });

    assertThat(events.await(Lost.class).code()).isEqualTo("connection_lost");
    assertThat(session.dropped()).isPositive();
  }

  @Test
  void aConsumerThatFailsLosesTheSession() throws InterruptedException {
    CountDownLatch lost = new CountDownLatch(1);
    server = new RawEngine(peer -> peer.session().text(done("r")).drain());
    session =
        OpenAiRealtime.of("sk-test-key")
            .withBaseUrl(server.url())
            .open(
                new Engine.Setup("Hello.", List.of(), List.of()),
                event -> {
                  if (event instanceof Lost) {
                    lost.countDown();
                  } else if (event instanceof EngineEvent.Done) {
                    throw new IllegalStateException("of the test");
                  }
                });

    assertThat(lost.await(5, TimeUnit.MINUTES)).isTrue();
  }
}
