package dev.switchboard.phone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.mount.Mount;
import dev.switchboard.server.Server;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the simulator refuses in a relay session, as the carrier would.
class RelayStrictnessTest {
  private static final String URL = "url=\"wss://phone.example.com/relay\" ";

  private final TwilioSimulator simulator = TwilioSimulator.start(20);
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private @Nullable Server server;
  private volatile boolean refuses;
  private volatile Mount.@Nullable Channel channel; // of the session

  @AfterEach
  void close() {
    simulator.close();
    if (server != null) {
      server.close();
    }
  }

  private static String twiml(String attributes, String inside) {
    return "<Response><Connect action=\"https://phone.example.com/action\"><ConversationRelay "
        + attributes
        + ">"
        + inside
        + "</ConversationRelay></Connect></Response>";
  }

  private static Mount post(String path, Mount.Handler handler) {
    return new Mount.Http("POST", path, Mount.Check.OWN, handler);
  }

  /// A call that is connected with these attributes, to an application that sends these messages.
  private SimulatedCall call(String attributes, String... messages) {
    server =
        Desk.serve(
            List.of(
                post(
                    "/phone/twilio/voice",
                    (in, out) ->
                        out.send(
                            200, Map.of("Content-Type", "text/xml"), twiml(URL + attributes, ""))),
                post("/phone/twilio/status", (in, out) -> out.send(204, Map.of(), "")),
                post(
                    "/action",
                    (in, out) -> {
                      reports.add(URLDecoder.decode(in.body(), StandardCharsets.UTF_8));
                      out.send(
                          200,
                          Map.of("Content-Type", "text/xml"),
                          "<Response><Hangup/></Response>");
                    }),
                new Mount.Socket("/relay", Mount.Check.OWN, new Application(messages))));
    simulator.tunnel(Desk.URL, "http://127.0.0.1:" + server.port());
    return simulator.call(Desk.URL, "+1555", "+1666");
  }

  /// Sends a message of the application, once there is a session.
  private void send(String message) {
    await().until(() -> channel != null);
    Mount.Channel open = channel;
    if (open != null) {
      var unused = open.send(message);
    }
  }

  private final class Application implements Mount.Acceptor {
    private final String[] messages;

    Application(String... messages) {
      this.messages = messages;
    }

    @Override
    public Mount.@Nullable Refusal refusal(Mount.Request request) {
      return refuses ? new Mount.Refusal(403, "No.") : null;
    }

    @Override
    public Mount.Listener open(Mount.Request request, Mount.Channel opened) {
      return new Mount.Listener() {
        @Override
        public void message(String text) {
          received.add(text);
          if (text.contains("\"setup\"")) {
            channel = opened;
            for (String message : messages) {
              var unused = opened.send(message);
            }
          }
        }

        @Override
        public void closed(int code) {}
      };
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "[]",
        "{}",
        "{\"type\":\"media\"}",
        "{\"type\":\"text\"}",
        "{\"type\":\"text\",\"token\":5}",
        "{\"type\":\"text\",\"token\":\"a\",\"last\":\"true\"}",
        "{\"type\":\"text\",\"token\":\"a\",\"interruptible\":1}",
        "{\"type\":\"text\",\"token\":\"a\",\"language\":\"en\"}",
        "{\"type\":\"text\",\"text\":\"a\"}",
        "{\"type\":\"play\"}",
        "{\"type\":\"play\",\"source\":\"https://h/a.mp3\",\"loop\":\"1\"}",
        "{\"type\":\"sendDigits\",\"digits\":\"12a\"}",
        "{\"type\":\"language\",\"language\":\"de\"}",
        "{\"type\":\"clear\"}",
        "{\"type\":\"end\",\"reason\":\"done\"}"
      })
  void aMessageThatIsNotOfTheProtocolHasNoEffectAndEndsNothing(String message) {
    SimulatedCall call = call("", message, "{\"type\":\"text\",\"token\":\"Hi.\",\"last\":true}");
    await().until(() -> !call.heard().isEmpty());

    assertThat(call.heard()).singleElement().returns("Hi.", HeardWords::words);
    assertThat(call.faults()).singleElement().asString().startsWith("64107 ");
    assertThat(call.status()).isEqualTo("in-progress");
    await()
        .untilAsserted(() ->
            assertThat(received)
                .anySatisfy(text ->
                    assertThat(text)
                        .contains("\"type\":\"error\"", "\"description\":\"Invalid message")));
  }

  @Test
  void messagesOfTheProtocolAreAccepted() {
    SimulatedCall call =
        call(
            "",
            "{\"type\":\"play\",\"source\":\"https://h/a.mp3\",\"loop\":1,\"preemptible\":false}",
            "{\"type\":\"sendDigits\",\"digits\":\"0w#*\"}",
            "{\"type\":\"language\",\"ttsLanguage\":\"de-DE\"}",
            "{\"type\":\"text\",\"token\":\"Hi\",\"lang\":\"en-US\",\"preemptible\":true}",
            "{\"type\":\"text\",\"token\":\"\",\"last\":true}");
    await().until(() -> call.heard().size() == 1);

    assertThat(call.faults()).isEmpty();
  }

  @Test
  void nothingMayFollowTheEnd() {
    SimulatedCall call =
        call(
            "",
            "{\"type\":\"end\",\"handoffData\":\"{\\\"to\\\":\\\"sales\\\"}\"}",
            "{\"type\":\"text\",\"token\":\"Bye.\",\"last\":true}");
    call.awaitOver(Desk.PATIENCE);

    await()
        .untilAsserted(
            () -> assertThat(call.faults()).containsExactly("64107 a message after the end"));
    assertThat(call.heard()).isEmpty();
    assertThat(reports)
        .singleElement()
        .asString()
        .contains("SessionStatus=ended", "HandoffData={\"to\":\"sales\"}", "SessionId=VX")
        .doesNotContain("ErrorCode");
  }

  @Test
  void theEndOfASessionIsReported() {
    SimulatedCall call = call("");
    call.awaitStreams(1, Desk.PATIENCE);
    call.failRelay(64_105);
    call.awaitOver(Desk.PATIENCE);

    assertThat(reports)
        .singleElement()
        .asString()
        .contains("SessionStatus=failed", "ErrorCode=64105", "CallStatus=in-progress");
  }

  @Test
  void aCallerWhoHangsUpIsReportedAfterTheSession() {
    SimulatedCall call = call("");
    call.awaitStreams(1, Desk.PATIENCE);
    call.hangUp();
    call.awaitOver(Desk.PATIENCE);

    assertThat(reports)
        .singleElement()
        .asString()
        .contains("SessionStatus=completed", "CallStatus=completed");
  }

  /// Without `events`, `dtmfDetection` and `partialPrompts`, and with the defaults of input.
  @Test
  void whatWasNotAskedForIsNotSent() {
    SimulatedCall call = call("interruptible=\"none\"");
    send("{\"type\":\"text\",\"token\":\"Hello there.\",\"last\":true}");
    call.press("5");
    await().until(() -> call.heard().size() == 1);
    call.press("5");
    call.says("one two");
    call.awaitSaid(Desk.PATIENCE);
    await().until(() -> received.size() >= 2 && received.getLast().contains("prompt"));

    assertThat(received).noneMatch(text -> text.contains("\"info\"") || text.contains("dtmf"));
    assertThat(received).filteredOn(text -> text.contains("prompt")).hasSize(1);
  }

  @Test
  void inputDuringSpeechIsNotReportedByDefault() {
    SimulatedCall call =
        call("interruptible=\"none\" dtmfDetection=\"true\" events=\"tokens-played\"");
    call.awaitStreams(1, Desk.PATIENCE);
    call.interrupts("Hello", "No");
    send("{\"type\":\"text\",\"token\":\"Hello over there, my friend.\",\"last\":true}");
    call.awaitSaid(Desk.PATIENCE);
    await().until(() -> call.heard().size() == 1);
    await().until(() -> received.size() == 2);

    assertThat(received.getLast())
        .isEqualTo(
            """
            {"type":"info","name":"tokensPlayed","value":"Hello over there, my friend."}\
            """);
  }

  @Test
  void aGreetingIsSpokenFirst() {
    SimulatedCall call = call("welcomeGreeting=\"Welcome.\"");
    await().until(() -> call.heard().size() == 1);

    assertThat(call.heard().getFirst().words()).isEqualTo("Welcome.");
  }

  @Test
  void anUnknownAttributeHasNoEffectAndIsReported() {
    SimulatedCall call = call("interuptible=\"none\"");
    call.awaitStreams(1, Desk.PATIENCE);

    assertThat(call.faults()).containsExactly("12200 the attribute 'interuptible' is unknown");
    assertThat(call.status()).isEqualTo("in-progress");
  }

  @Test
  void aSocketThatIsRefusedFailsTheSession() {
    refuses = true;
    SimulatedCall call = call("");
    call.awaitOver(Desk.PATIENCE);

    assertThat(call.faults()).containsExactly("64102 the socket was not opened: status 403");
    assertThat(reports)
        .singleElement()
        .asString()
        .contains("SessionStatus=failed", "ErrorCode=64102");
    assertThat(call.streams()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "interruptible=\"sometimes\"",
        "interruptible=\"\"",
        "reportInputDuringAgentSpeech=\"true\"",
        "ignoreBackchannel=\"yes\"",
        "dtmfDetection=\"on\"",
        "partialPrompts=\"1\"",
        "welcomeGreetingInterruptible=\"voice\"",
        "interruptSensitivity=\"highest\"",
        "speechTimeout=\"599\"",
        "speechTimeout=\"5001\"",
        "eotThreshold=\"0.4\"",
        "eotThreshold=\"0.91\"",
        "transcriptionProvider=\"deepgram\"",
        "ttsProvider=\"OpenAI\"",
        "events=\"speaker-events,tokens-played\"",
        "events=\"all\"",
        "elevenlabsTextNormalization=\"true\"",
        "language=\"en_US\"",
        "voice=\"\""
      })
  void aValueThatIsNotAllowedIsRefused(String attribute) {
    assertThatThrownBy(() -> TwimlVerb.parse(twiml(URL + attribute, "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("12200 the attribute '" + attribute.replaceFirst("=.*", ""));
  }

  @Test
  void theElementIsReadStrictly() {
    for (String wrong :
        List.of(
            twiml("", ""),
            twiml("url=\"https://h/r\"", ""),
            twiml("url=\"ws://h.example/r\"", ""),
            twiml(URL, "<Stream url=\"wss://h/r\"/>"),
            twiml(URL, "<Parameter name=\"token\"/>"),
            twiml(URL, "<Parameter value=\"x\"/>"),
            twiml(URL, "<Language voice=\"x\"/>"),
            "<Response><ConversationRelay url=\"wss://h/r\"/></Response>",
            "<Response><Connect><ConversationRelay"
                + " url=\"wss://h/r\"/><Stream/></Connect></Response>")) {
      assertThatThrownBy(() -> TwimlVerb.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(
            TwimlVerb.parse(
                twiml(
                    URL + "speechTimeout=\"600\" eotThreshold=\"0.9\" speechModel=\"flux\"",
                    "<Parameter name=\"token\" value=\"x\"/><Language code=\"de-DE\"/>")))
        .singleElement()
        .isInstanceOfSatisfying(
            TwimlVerb.Connect.class,
            connect -> assertThat(connect.parameters()).containsOnly(Map.entry("token", "x")));
  }

  @Test
  void attributesMustFitTogether() {
    assertThat(mismatch("speechModel", "flux", "partialPrompts", "true")).isNull();
    assertThat(mismatch("language", "multi", "transcriptionProvider", "Deepgram")).isNull();
    assertThat(mismatch("transcriptionProvider", "Google", "speechModel", "telephony")).isNull();
    assertThat(mismatch("partialPrompts", "false", "language", "sv-SE")).isNull();

    assertThat(mismatch("transcriptionProvider", "Google", "speechModel", "nova-3-general"))
        .contains("speechModel");
    assertThat(mismatch("transcriptionProvider", "Deepgram", "speechModel", "telephony"))
        .contains("speechModel");
    assertThat(mismatch("partialPrompts", "true", "language", "en-US")).contains("flux");
    assertThat(mismatch("eotThreshold", "0.7", "speechModel", "nova-3-general")).contains("flux");
    assertThat(mismatch("speechModel", "flux", "language", "sv-SE")).contains("language");
    assertThat(mismatch("language", "multi", "ttsProvider", "Google")).contains("multi");
    assertThat(mismatch("language", "multi", "transcriptionProvider", "Google")).contains("multi");
  }

  private static @Nullable String mismatch(
      String name, String value, String otherName, String otherValue) {
    return RelaySettings.of(Map.of(name, value, otherName, otherValue)).mismatch();
  }
}
