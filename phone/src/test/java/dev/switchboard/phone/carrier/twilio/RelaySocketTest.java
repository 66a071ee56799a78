package dev.switchboard.phone.carrier.twilio;

import static dev.switchboard.phone.carrier.twilio.Exchange.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.CarrierEvent.Connected;
import dev.switchboard.phone.carrier.CarrierEvent.Disconnected;
import dev.switchboard.phone.carrier.CarrierEvent.Interrupted;
import dev.switchboard.phone.carrier.CarrierEvent.Pressed;
import dev.switchboard.phone.carrier.CarrierEvent.Prompted;
import dev.switchboard.phone.carrier.CarrierEvent.Side;
import dev.switchboard.phone.carrier.CarrierEvent.Sounding;
import dev.switchboard.phone.carrier.relay.RelayLine;
import dev.switchboard.text.Surrogates;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelaySocketTest {
  private static final String PROMPT =
      "{\"type\":\"prompt\",\"voicePrompt\":\"Hi\",\"lang\":\"en-US\",\"last\":true}";

  private final Exchange exchange = new Exchange();

  private Exchange.Socket setUp() {
    return exchange.setUp(exchange.announced());
  }

  /// The events after the connection.
  private List<CarrierEvent> events() {
    return exchange.told.subList(1, exchange.told.size());
  }

  private static String interrupt(String spoken, String milliseconds) {
    return "{\"type\":\"interrupt\",\"utteranceUntilInterrupt\":%s,\"durationUntilInterruptMs\":%s}"
        .formatted(spoken, milliseconds);
  }

  @Test
  void aCallIsConnectedOnceItsSetupShowsTheToken() {
    String token = exchange.announced();
    Exchange.Socket socket = exchange.setUp(token);
    socket.setUp(CALL, token);

    assertThat(exchange.told).hasSize(1);
    assertThat(exchange.words()).isInstanceOf(RelayLine.class);
    assertThat(exchange.calls).containsExactly(CALL);
    assertThat(exchange.twilio.dropped()).isOne();
    assertThat(socket.code).isZero();
  }

  @Test
  void aSetupWithoutTheTokenOfItsCallOpensNothing() {
    String token = exchange.announced();
    for (String forged : List.of("", "x", token.substring(1), token + "x")) {
      assertThat(exchange.setUp(forged).code).isEqualTo(1008);
    }
    Exchange.Socket other = exchange.relay();
    other.setUp(Exchange.OTHER, token);
    assertThat(other.code).isEqualTo(1008);
    for (String bare :
        List.of(
            "{\"type\":\"setup\"}",
            "{\"type\":\"setup\",\"callSid\":\"" + CALL + "\"}",
            "{\"type\":\"setup\",\"callSid\":5,\"customParameters\":{\"token\":\"" + token + "\"}}",
            "{\"type\":\"setup\",\"callSid\":\"" + CALL + "\",\"customParameters\":[\"token\"]}",
            "{\"type\":\"setup\",\"callSid\":\""
                + CALL
                + "\",\"customParameters\":{\"token\":{\"a\":\"b\"}}}")) {
      Exchange.Socket socket = exchange.relay();
      socket.says(bare);
      assertThat(socket.code).as(bare).isEqualTo(1008);
      socket.setUp(CALL, token);
      socket.says(PROMPT);
    }
    assertThat(exchange.told).isEmpty();
  }

  @Test
  void aTokenServesOneSocketAtATimeOfEitherKind() {
    String token = exchange.announced();
    Exchange.Socket relay = exchange.setUp(token);
    assertThat(exchange.setUp(token).code).isEqualTo(1008);
    assertThat(exchange.started(token).code).isEqualTo(1008);

    relay.gone(1006);
    assertThat(exchange.started(token).code).isZero();
    assertThat(exchange.setUp(token).code).isEqualTo(1008);
  }

  @Test
  void aSocketThatIsNotSetUpIsClosed() {
    Exchange.Socket silent = exchange.relay();
    silent.says(PROMPT);
    exchange.time.advance(Duration.ofMillis(9_999));
    assertThat(silent.code).isZero();
    exchange.time.advance(Duration.ofMillis(1));
    assertThat(silent.code).isEqualTo(1008);
    silent.setUp(CALL, exchange.announced());

    assertThat(exchange.told).isEmpty();
    assertThat(exchange.twilio.dropped()).isEqualTo(2);
  }

  @Test
  void aFloodBeforeTheSetupIsCutOff() {
    Exchange.Socket socket = exchange.relay();
    for (int i = 0; i < 10_000; i++) {
      socket.says(PROMPT);
    }
    assertThat(socket.code).isEqualTo(1008);
    assertThat(exchange.told).isEmpty();
  }

  @Test
  void aCallInWhichNoOneSpeaksStaysOpen() {
    Exchange.Socket socket = setUp();
    exchange.time.advance(Duration.ofHours(3));
    socket.says(PROMPT);

    assertThat(socket.code).isZero();
    assertThat(events()).containsExactly(new Prompted("Hi", "en-US", true));
  }

  @Test
  void wordsOfTheCallerArePosted() {
    Exchange.Socket socket = setUp();
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\"I want\",\"lang\":\"en\",\"last\":false}");
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\" I want tea. \",\"last\":true}");
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\"Ja\",\"lang\":\"<b>\",\"last\":true}");
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\"Ja\",\"lang\":7,\"last\":true,\"new\":[]}");

    assertThat(events())
        .containsExactly(
            new Prompted("I want", "en", false),
            new Prompted("I want tea.", null, true),
            new Prompted("Ja", null, true),
            new Prompted("Ja", null, true));
  }

  @Test
  void anInterruptionStatesWhatWasHeard() {
    Exchange.Socket socket = setUp();
    for (String milliseconds :
        List.of(
            "460", "\"460\"", "460.7", "\"460.7\"", "-1", "\"-1\"", "1e999999999", "true", "{}")) {
      socket.says(interrupt("\"Life is a\"", milliseconds));
    }
    socket.says("{\"type\":\"interrupt\"}");
    socket.says(interrupt("[]", "3600001"));

    assertThat(exchange.told(Interrupted.class))
        .extracting(Interrupted::milliseconds)
        .containsExactly(460, 460, 460, 460, 0, 0, 0, 0, 0, 0, 0);
    assertThat(exchange.told(Interrupted.class))
        .extracting(Interrupted::heard)
        .startsWith("Life is a")
        .endsWith("", "");
  }

  @Test
  void whoSpeaksIsPosted() {
    Exchange.Socket socket = setUp();
    for (String side : List.of("agentSpeaking", "clientSpeaking")) {
      for (String value : List.of("on", "off")) {
        socket.says(
            "{\"type\":\"info\",\"name\":\"%s\",\"value\":\"%s\",\"ts\":1752091234567}"
                .formatted(side, value));
      }
    }
    assertThat(events())
        .containsExactly(
            new Sounding(Side.AGENT, true),
            new Sounding(Side.AGENT, false),
            new Sounding(Side.CALLER, true),
            new Sounding(Side.CALLER, false));
  }

  @Test
  void keysArePosted() {
    Exchange.Socket socket = setUp();
    for (String digit : List.of("\"5\"", "\"*\"", "\"#\"", "\"A\"", "\"\"", "\"12\"", "5")) {
      socket.says("{\"type\":\"dtmf\",\"digit\":" + digit + "}");
    }
    assertThat(events()).containsExactly(new Pressed('5'), new Pressed('*'), new Pressed('#'));
    assertThat(exchange.twilio.dropped()).isEqualTo(4);
  }

  /// What was spoken has no documented form, and comes often.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"info\",\"name\":\"tokensPlayed\",\"value\":\"Hi, this\"}",
        "{\"type\":\"info\",\"name\":\"tokens-played\",\"tokens\":[\"Hi\"]}",
        "{\"type\":\"tokens-played\"}"
      })
  void whatWasSpokenIsIgnored(String message) {
    setUp().says(message);

    assertThat(events()).isEmpty();
    assertThat(exchange.twilio.dropped()).isZero();
  }

  @Test
  void whatIsNotExpectedIsDroppedAndCounted() {
    Exchange.Socket socket = setUp();
    List<String> hostile =
        List.of(
            "",
            "{",
            "null",
            "[]",
            "7",
            "\"prompt\"",
            "{}",
            "{\"type\":5}",
            "{\"type\":\"explode\"}",
            "{\"type\":\"error\",\"description\":\"Invalid message received: { \\\"foo\\\" }\"}",
            "[".repeat(60_000),
            "{\"type\":".repeat(8_000),
            "{\"type\":\"prompt\",\"type\":\"prompt\"}",
            "\ud800",
            "{\"type\":\"prompt\"}",
            "{\"type\":\"prompt\",\"voicePrompt\":\"Hi\"}",
            "{\"type\":\"prompt\",\"voicePrompt\":\"Hi\",\"last\":\"true\"}",
            "{\"type\":\"prompt\",\"voicePrompt\":\" \\n\",\"last\":true}",
            "{\"type\":\"prompt\",\"voicePrompt\":[\"Hi\"],\"last\":true}",
            "{\"type\":\"prompt\",\"voicePrompt\":7,\"last\":true}",
            "{\"type\":\"info\"}",
            "{\"type\":\"info\",\"name\":\"agentSpeaking\",\"value\":true}",
            "{\"type\":\"info\",\"name\":\"agentSpeaking\",\"value\":\"ON\"}",
            "{\"type\":\"info\",\"name\":\"roundTripDelayMs\",\"value\":\"on\"}",
            "{\"type\":\"prompt\",\"voicePrompt\":\"" + "x".repeat(65_536) + "\",\"last\":true}");
    hostile.forEach(socket::says);

    assertThat(events()).isEmpty();
    assertThat(exchange.twilio.dropped()).isEqualTo(hostile.size());
    assertThat(socket.code).isZero();
    socket.says(PROMPT);
    assertThat(events()).hasSize(1);
  }

  @Test
  void wordsAreBoundedAndWholeUnicode() {
    Exchange.Socket socket = setUp();
    String most = "x".repeat(7_999);
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\"" + most + "yz\",\"last\":true}");
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\"" + most + "😀\",\"last\":true}");
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\"a\\ud83d\",\"last\":true}");
    socket.says("{\"type\":\"prompt\",\"voicePrompt\":\"a\ude00b\",\"last\":true}");
    socket.says(interrupt("\"" + most + most + "\\udc00\"", "5"));

    assertThat(exchange.told(Prompted.class))
        .extracting(Prompted::words)
        .containsExactly(most + "y", most + "\ufffd", "a\ufffd", "a\ufffdb");
    assertThat(exchange.told(Interrupted.class).getFirst().heard()).hasSize(8_000);
  }

  @Test
  void theEndIsToldOnce() {
    Exchange.Socket socket = setUp();
    socket.gone(1000);
    socket.gone(1006);
    socket.says(PROMPT);

    assertThat(events()).containsExactly(new Disconnected());
    assertThat(exchange.twilio.dropped()).isOne();
  }

  /// Messages as the carrier sends them, with parts changed, cut out, or repeated.
  @Test
  void noMalformedMessageThrows() {
    Random random = new Random(20_261_128);
    Exchange.Socket socket = setUp();
    List<String> sound =
        List.of(
            PROMPT,
            interrupt("\"Life is a complex set of\"", "460"),
            interrupt("\"\\ud83d\\ude00\"", "\"460\""),
            "{\"type\":\"info\",\"name\":\"agentSpeaking\",\"value\":\"off\",\"ts\":1752091238901}",
            "{\"type\":\"info\",\"name\":\"tokensPlayed\",\"value\":\"Hi\"}",
            "{\"type\":\"dtmf\",\"digit\":\"1\"}",
            "{\"type\":\"error\",\"description\":\"x\"}",
            "{\"type\":\"setup\",\"callSid\":\"CA1\",\"customParameters\":{\"token\":\"t\"}}");
    for (int i = 0; i < 20_000; i++) {
      String message = sound.get(random.nextInt(sound.size()));
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        message = changed(message, random);
      }
      socket.says(message);
    }

    assertThat(socket.code).isZero();
    assertThat(exchange.told(Connected.class)).hasSize(1);
    assertThat(exchange.told(Disconnected.class)).isEmpty();
    assertThat(exchange.told(Prompted.class))
        .isNotEmpty()
        .allSatisfy(prompt -> assertThat(Surrogates.paired(prompt.words())).isTrue());
    assertThat(exchange.told(Interrupted.class))
        .isNotEmpty()
        .allSatisfy(cut -> assertThat(cut.milliseconds()).isBetween(0, 3_600_000));
    socket.gone(1000);
    assertThat(exchange.told(Disconnected.class)).hasSize(1);
  }

  private static String changed(String message, Random random) {
    List<String> pieces =
        List.of(
            "null",
            "{}",
            "[",
            "\"",
            "\\",
            "\\ud800",
            "\udfff",
            "1e400",
            "-0",
            "true",
            "\u0000",
            ",",
            ":",
            "\"last\":5",
            "99999999999999999999",
            "\\u0000",
            "}",
            "\"type\":\"setup\"");
    int from = random.nextInt(message.length() + 1);
    int to = Math.min(message.length(), from + random.nextInt(6));
    return switch (random.nextInt(3)) {
      case 0 -> message.substring(0, from) + message.substring(to);
      case 1 -> message.substring(0, to) + message.substring(from);
      default ->
          message.substring(0, from)
              + pieces.get(random.nextInt(pieces.size()))
              + message.substring(to);
    };
  }
}
