package dev.switchboard.phone.carrier.twilio;

import static dev.switchboard.phone.carrier.twilio.Exchange.CALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.harness.Vectors;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent.Connected;
import dev.switchboard.phone.carrier.CarrierEvent.Disconnected;
import dev.switchboard.phone.carrier.CarrierEvent.Heard;
import dev.switchboard.phone.carrier.CarrierEvent.Played;
import dev.switchboard.phone.carrier.CarrierEvent.Pressed;
import dev.switchboard.phone.carrier.relay.SocketQueue;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class MediaSocketTest {
  private static final byte[] SILENCE = MuLaw.silence(Duration.ofMillis(20));

  private final Exchange exchange = new Exchange();

  /// Who calls is told by the signed request, whatever the socket says of it.
  @Test
  void c230ACallIsStartedOnceWithItsCallerAndItsCallee() {
    JsonNode expected = Vectors.expect("C230");
    String caller = expected.path("caller").stringValue();
    String callee = expected.path("callee").stringValue();
    String token =
        Exchange.token(exchange.post(Webhooks.VOICE, Map.of("From", caller, "To", callee)));
    Exchange.Socket socket = exchange.socket();
    for (JsonNode one : Vectors.given("C230").path("in")) {
      ObjectNode message = (ObjectNode) one.deepCopy();
      if (message.path("start").path("customParameters") instanceof ObjectNode parameters) {
        assertThat(message.path("start").path("callSid").stringValue()).isEqualTo(CALL);
        parameters.put("token", token).put("caller", "+1999");
      }
      socket.says(message.toString());
      socket.says(message.toString());
    }

    assertThat(exchange.told(Connected.class)).hasSize(1);
    assertThat(expected.path("call_started_once").booleanValue()).isTrue();
    assertThat(exchange.calls).containsExactly(CALL);
    assertThat(exchange.arrivals)
        .singleElement()
        .returns(caller, Carrier.Arrival::from)
        .returns(callee, Carrier.Arrival::to);
    assertThat(socket.code).isZero();
  }

  @Test
  void aCallIsConnectedOnceItsStartShowsTheToken() {
    Exchange.Socket socket = exchange.started(exchange.announced());
    socket.start(CALL, "again");

    assertThat(exchange.told).hasSize(1);
    assertThat(exchange.told(Connected.class)).hasSize(1);
    assertThat(exchange.calls).containsExactly(CALL);
    assertThat(exchange.arrivals.getFirst().from()).isEqualTo("+15551110000");
    assertThat(socket.code).isZero();
  }

  @Test
  void c242AStartWithoutTheTokenOfItsCallOpensNothing() {
    String token = exchange.announced();
    int refused = Vectors.expect("C242").path("close_code").intValue();
    for (String forged :
        List.of("", "x", token.substring(1), token + "x", token.toLowerCase(Locale.ROOT))) {
      assertThat(exchange.started(forged).code).isEqualTo(refused);
    }
    Exchange.Socket other = exchange.socket();
    other.start(Exchange.OTHER, token);
    assertThat(other.code).isEqualTo(refused);
    Exchange.Socket bare = exchange.socket();
    bare.says(
        """
        {"event":"start","streamSid":"MZ1","start":{"streamSid":"MZ1","callSid":"%s"}}\
        """
            .formatted(CALL));
    assertThat(bare.code).isEqualTo(refused);
    bare.start(CALL, token);
    bare.media(SILENCE, "0");

    assertThat(exchange.told).isEmpty();
  }

  @Test
  void aTokenIsGoodForAMinuteUntilItIsUsed() {
    String token = exchange.announced();
    exchange.time.advance(Duration.ofSeconds(60));
    assertThat(exchange.started(token).code).isEqualTo(1008);

    String next = exchange.announced();
    assertThat(next).isNotEqualTo(token);
    exchange.time.advance(Duration.ofSeconds(59));
    assertThat(exchange.started(next).code).isZero();
  }

  @Test
  void c243AUsedTokenServesItsCallAgainButNotTwoSocketsAtOnce() {
    String token = exchange.announced();
    Exchange.Socket first = exchange.started(token);
    Exchange.Socket beside = exchange.started(token);
    assertThat(beside.code).isEqualTo(1008);
    assertThat(first.code).isZero();

    first.gone(1006);
    exchange.time.advance(Duration.ofHours(1));
    assertThat(exchange.started(token).code == 0)
        .isEqualTo(Vectors.expect("C243").path("accepted").booleanValue());
    assertThat(exchange.told(Connected.class)).hasSize(2);
  }

  @Test
  void aTokenEndsWithItsCall() {
    String token = exchange.announced();
    exchange.started(token).gone(1000);
    exchange.post(Webhooks.STATUS, Map.of("CallStatus", "completed"));

    assertThat(exchange.started(token).code).isEqualTo(1008);
  }

  /// Carriers come from few addresses: there is no limit for one, against the case.
  @Test
  void c241ManySocketsComeFromOneAddress() {
    assertThat(Vectors.given("C241").path("11 sockets from one address").booleanValue()).isTrue();
    for (int i = 0; i < 50; i++) {
      String call = "CA%032x".formatted(i);
      String token = Exchange.token(exchange.post(Webhooks.VOICE, Map.of("CallSid", call)));
      Exchange.Socket socket = exchange.socket();
      socket.start(call, token);
      assertThat(socket.code).isZero();
    }
    assertThat(exchange.told(Connected.class)).hasSize(50);
  }

  @Test
  void aSocketThatDoesNotStartIsClosed() {
    Exchange.Socket silent = exchange.socket();
    silent.says("{\"event\":\"connected\"}");
    exchange.time.advance(Duration.ofMillis(9_999));
    assertThat(silent.code).isZero();
    exchange.time.advance(Duration.ofMillis(1));
    assertThat(silent.code).isEqualTo(1008);
    silent.start(CALL, exchange.announced());
    assertThat(exchange.told).isEmpty();

    Exchange.Socket started = exchange.started(exchange.announced());
    exchange.time.advance(Duration.ofSeconds(11));
    assertThat(started.code).isZero();
  }

  @Test
  void aSocketFromWhichNothingComesIsGone() {
    String token = exchange.announced();
    Exchange.Socket socket = exchange.started(token);
    for (int i = 0; i < 20; i++) {
      exchange.time.advance(Duration.ofSeconds(14));
      socket.media(SILENCE, "");
    }
    assertThat(socket.code).isZero();

    exchange.time.advance(Duration.ofSeconds(15));
    assertThat(socket.code).isEqualTo(1001);
    assertThat(exchange.told(Disconnected.class)).hasSize(1);
    assertThat(exchange.started(token).code).isZero();
  }

  /// C231, as far as the carrier goes.
  @Test
  void audioIsToldWithItsTime() {
    Exchange.Socket socket = exchange.started(exchange.announced());
    socket.media(SILENCE, "40");
    socket.media(SILENCE, "100");
    socket.media(SILENCE, "");
    socket.media(SILENCE, "-1");
    socket.media(SILENCE, "99999999999999999999");

    assertThat(exchange.told(Heard.class))
        .extracting(Heard::at)
        .containsExactly(40L, 100L, 120L, 140L, 160L);
    assertThat(exchange.told(Heard.class).getFirst().audio()).isEqualTo(SILENCE);
  }

  @Test
  void keysAndMarksAreTold() {
    Exchange.Socket socket = exchange.started(exchange.announced());
    for (String key : List.of("5", "*", "#", "A", "", "12")) {
      socket.says(
          """
          {"event":"dtmf","streamSid":"MZ1","dtmf":{"track":"inbound_track","digit":"%s"}}\
          """
              .formatted(key));
    }
    socket.says("{\"event\":\"mark\",\"streamSid\":\"MZ1\",\"mark\":{\"name\":\"g1:2\"}}");

    assertThat(exchange.told.subList(1, exchange.told.size()))
        .containsExactly(new Pressed('5'), new Pressed('*'), new Pressed('#'), new Played("g1:2"));
    assertThat(exchange.twilio.dropped()).isEqualTo(3);
  }

  @Test
  void c238TheEndIsToldOnce() {
    assertThat(Vectors.given("C238").at("/in/0/event").stringValue()).isEqualTo("stop");
    Exchange.Socket socket = exchange.started(exchange.announced());
    socket.says("{\"event\":\"stop\",\"streamSid\":\"MZ1\",\"stop\":{}}");
    socket.says("{\"event\":\"stop\",\"streamSid\":\"MZ1\",\"stop\":{}}");
    socket.media(SILENCE, "0");
    socket.gone(1006);

    assertThat(exchange.told(Disconnected.class))
        .hasSize(Vectors.expect("C238").path("on_call_end_times").intValue());
    assertThat(exchange.told).hasSize(2);
    assertThat(socket.code).isEqualTo(1000);
  }

  @Test
  void whatIsNotExpectedIsDroppedAndCounted() {
    Exchange.Socket socket = exchange.started(exchange.announced());
    List<String> hostile =
        List.of(
            "",
            "{",
            "null",
            "[]",
            "\"media\"",
            "{}",
            "{\"event\":5}",
            "{\"event\":\"explode\"}",
            "[".repeat(1_000),
            "{\"event\":\"media\",\"event\":\"media\"}",
            "\ud800",
            "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"payload\":\"!!\"}}",
            "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"payload\":\"\"}}",
            "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"payload\":7}}",
            "{\"event\":\"media\",\"streamSid\":\"MZ2\",\"media\":{\"payload\":\"/w==\"}}",
            "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"track\":\"outbound\",\"payload\":\"/w==\"}}",
            "{\"event\":\"mark\",\"streamSid\":\"MZ1\",\"mark\":{\"name\":\""
                + "x".repeat(300)
                + "\"}}",
            "{\"event\":\"connected\"}",
            "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":5}",
            "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"payload\":1234}}",
            "{\"event\":\"dtmf\",\"streamSid\":\"MZ1\",\"dtmf\":{\"digit\":5}}",
            "{\"event\":\"mark\",\"streamSid\":\"MZ1\",\"mark\":{\"name\":\"\\ud83d\"}}",
            "{\"event\":\"stop\",\"streamSid\":{\"a\":\"MZ1\"}}",
            "{\"event\":\"start\",\"start\":{\"mediaFormat\":{\"sampleRate\":1e999999999}}}",
            "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"payload\":\""
                + "/".repeat(70_000)
                + "\"}}");
    hostile.forEach(socket::says);

    assertThat(exchange.told).hasSize(1);
    assertThat(exchange.twilio.dropped()).isEqualTo(hostile.size());
    assertThat(socket.code).isZero();
    socket.media(SILENCE, "0");
    assertThat(exchange.told(Heard.class)).hasSize(1);
  }

  @Test
  void aFloodBeforeTheStartIsCutOff() {
    Exchange.Socket socket = exchange.socket();
    for (int i = 0; i < 10_000; i++) {
      socket.media(SILENCE, "0");
    }

    assertThat(socket.code).isEqualTo(1008);
    assertThat(exchange.told).isEmpty();
    assertThat(exchange.twilio.dropped()).isEqualTo(10_000);
  }

  @Test
  void anotherFormatOrAStrangeStreamIsRefused() {
    String token = exchange.announced();
    for (String start :
        List.of(
            "\"streamSid\":\"MZ1\",\"mediaFormat\":{\"encoding\":\"audio/l16\",\"sampleRate\":8000,\"channels\":1}",
            "\"streamSid\":\"MZ\\\"1\"",
            "\"streamSid\":\"\"")) {
      Exchange.Socket socket = exchange.socket();
      String stream = start.replaceFirst(",\"mediaFormat.*", "");
      socket.says(
          """
          {"event":"start",%s,"start":{%s,"callSid":"%s","customParameters":{"token":"%s"}}}\
          """
              .formatted(stream, start, CALL, token));
      assertThat(socket.code).isEqualTo(1008);
    }
    assertThat(exchange.told).isEmpty();
  }

  @Test
  void mediaMarksAndClearsAreSentInOrder() {
    Exchange.Socket socket = exchange.started(exchange.announced());
    exchange.line().play(new byte[] {0, 0, 0});
    exchange.line().play(new byte[0]);
    exchange.line().mark("a\"1");
    await().untilAsserted(() -> assertThat(socket.sent).hasSize(2));
    exchange.line().clear();

    await()
        .untilAsserted(() ->
            assertThat(socket.sent)
                .containsExactly(
                    "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"payload\":\"AAAA\"}}",
                    "{\"event\":\"mark\",\"streamSid\":\"MZ1\",\"mark\":{\"name\":\"a\\\"1\"}}",
                    "{\"event\":\"clear\",\"streamSid\":\"MZ1\"}"));
  }

  @Test
  void aLineThatIsClosedSendsNothing() {
    Exchange.Socket socket = exchange.started(exchange.announced());
    exchange.line().close(1000, "done");
    exchange.line().play(SILENCE);
    exchange.line().close(1011, "again");

    assertThat(socket.code).isEqualTo(1000);
    assertThat(exchange.told(Disconnected.class)).hasSize(1);
    assertThat(socket.sent).isEmpty();
  }

  @Test
  void aCarrierThatDoesNotReadIsGivenUp() {
    Exchange.Socket socket = exchange.started(exchange.announced());
    socket.deaf = true;
    exchange.line().play(SILENCE);

    await().untilAsserted(() -> assertThat(exchange.told(Disconnected.class)).hasSize(1));
  }

  @Test
  void shortPiecesThatWaitAreBoundedToo() {
    AtomicInteger closed = new AtomicInteger();
    Mount.Channel channel =
        new Mount.Channel() {
          @Override
          public CompletableFuture<?> send(String text) {
            return new CompletableFuture<>();
          }

          @Override
          public void close(int code, String reason) {
            closed.set(code);
          }
        };
    // The first is never sent.
    MediaLine line = new MediaLine(new SocketQueue(channel), "MZ1");
    int played = 0;
    while (closed.get() == 0 && played < 1_000_000) {
      line.play(new byte[1]);
      played++;
    }
    assertThat(closed).hasValue(1013);
    assertThat(played).isBetween(10_000, 100_000);
  }
}
