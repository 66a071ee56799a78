package dev.switchboard.phone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.phone.carrier.Carrier.Admission;
import dev.switchboard.phone.carrier.Carrier.Answer;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.CarrierEvent.Connected;
import dev.switchboard.phone.carrier.CarrierEvent.Dialed;
import dev.switchboard.phone.carrier.CarrierEvent.Disconnected;
import dev.switchboard.phone.carrier.CarrierEvent.Interrupted;
import dev.switchboard.phone.carrier.CarrierEvent.Pressed;
import dev.switchboard.phone.carrier.CarrierEvent.Prompted;
import dev.switchboard.phone.carrier.CarrierEvent.Side;
import dev.switchboard.phone.carrier.CarrierEvent.Sounding;
import dev.switchboard.phone.carrier.CarrierEvent.Status;
import dev.switchboard.phone.carrier.Medium;
import dev.switchboard.phone.carrier.TextLine;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Relay sessions of the simulator over a real server and real sockets.
class RelaySimulatorTest {
  private static final String PERSON = "+15553330000";
  private static final String MENU = "Today we have Margherita, Funghi and Salami.";

  // Half a minute, also of this fast clock.
  private static final String LONG = MENU.repeat(200);

  private final Desk desk = new Desk(20);

  @BeforeEach
  void takeCallsOfText() {
    take("en-US", Map.of());
  }

  private void take(String language, Map<String, String> options) {
    desk.admission = new Admission.Taken(new Medium.Text(null, language, options));
  }

  @AfterEach
  void close() {
    desk.close();
  }

  private SimulatedCall spoken(String words) {
    SimulatedCall call = desk.call();
    desk.words(call, 1).say(words, true, true);
    return call;
  }

  private void awaitHeard(SimulatedCall call, int count) {
    await().until(() -> call.heard().size() == count);
  }

  private List<CarrierEvent> events(SimulatedCall call) {
    return desk.told(call).stream().map(Desk.Told::event).toList();
  }

  @Test
  void theCallersWordsComeInPartsAndThenWhole() {
    SimulatedCall call = desk.call();
    desk.words(call, 1);
    call.says("I want  a pizza");
    call.says("please");
    call.awaitSaid(Desk.PATIENCE);
    await().until(() -> events(call).size() == 10);

    assertThat(events(call).subList(1, 10))
        .containsExactly(
            new Sounding(Side.CALLER, true),
            new Prompted("I", "en-US", false),
            new Prompted("I want", "en-US", false),
            new Prompted("I want a", "en-US", false),
            new Sounding(Side.CALLER, false),
            new Prompted("I want a pizza", "en-US", true),
            new Sounding(Side.CALLER, true),
            new Sounding(Side.CALLER, false),
            new Prompted("please", "en-US", true));
    assertThat(call.faults()).isEmpty();
  }

  @Test
  void withoutFluxTheWordsComeOnceWhole() {
    take("sv-SE", Map.of("transcriptionProvider", "Google"));
    SimulatedCall call = desk.call();
    desk.words(call, 1);
    call.says("en pizza tack");
    call.awaitSaid(Desk.PATIENCE);
    await().until(() -> !desk.events(call, Prompted.class).isEmpty());

    assertThat(desk.events(call, Prompted.class))
        .containsExactly(new Prompted("en pizza tack", "sv-SE", true));
    assertThat(call.faults()).isEmpty();
  }

  @Test
  void theAgentsWordsAreSpokenAtTheirPace() {
    SimulatedCall call = desk.call();
    TextLine line = desk.words(call, 1);
    line.say("Which size?", false, true);
    line.say("", true, true);
    line.say("Lar", false, true);
    line.say("ge?", true, true);
    awaitHeard(call, 2);
    Sounding silent = new Sounding(Side.AGENT, false);
    await().until(() -> !events(call).isEmpty() && events(call).getLast().equals(silent));

    HeardWords first = call.heard().getFirst();
    assertThat(first.words()).isEqualTo("Which size?");
    assertThat(first.cut()).isFalse();
    // Eleven characters, fourteen a second.
    assertThat(first.end() - first.start()).isBetween(785L, 786L);
    HeardWords second = call.heard().getLast();
    assertThat(second.words()).isEqualTo("Large?");
    assertThat(second.start()).isGreaterThanOrEqualTo(first.end());
    assertThat(desk.events(call, Sounding.class)).startsWith(new Sounding(Side.AGENT, true));
    assertThat(call.waiting()).isZero();
    assertThat(desk.twilio.dropped()).isZero();
  }

  @Test
  void aCallerInterruptsAtAnExactPoint() {
    SimulatedCall call = desk.call();
    TextLine line = desk.words(call, 1);
    call.interrupts("Margherita,", "Salami please");
    line.say(MENU, false, true);
    call.awaitSaid(Desk.PATIENCE);
    line.say(" Sorry?", true, true);
    awaitHeard(call, 2);
    await().until(() -> desk.events(call, Prompted.class).size() == 2);

    assertThat(desk.events(call, Interrupted.class))
        .containsExactly(new Interrupted("Today we have Margherita,", 1_785));
    assertThat(call.heard().getFirst().words()).isEqualTo("Today we have Margherita,");
    assertThat(call.heard().getFirst().cut()).isTrue();
    // What comes after an interruption is another response.
    assertThat(call.heard().getLast().words()).isEqualTo(" Sorry?");
    assertThat(desk.events(call, Prompted.class))
        .containsExactly(
            new Prompted("Salami", "en-US", false), new Prompted("Salami please", "en-US", true));
    List<CarrierEvent> events = events(call);
    assertThat(events.indexOf(new Sounding(Side.CALLER, true)))
        .isLessThan(events.indexOf(new Interrupted("Today we have Margherita,", 1_785)));
  }

  @Test
  void anInterruptionInAWordStatesTheWholeWordsBefore() {
    SimulatedCall call = desk.call();
    TextLine line = desk.words(call, 1);
    call.interrupts("Today we ha", "What?");
    line.say(MENU, true, true);
    awaitHeard(call, 1);
    await().until(() -> !desk.events(call, Interrupted.class).isEmpty());

    assertThat(desk.events(call, Interrupted.class))
        .containsExactly(new Interrupted("Today we", 785));
    assertThat(call.heard().getFirst().words()).isEqualTo("Today we ha");
  }

  @Test
  void wordsThatMayNotBeInterruptedAreSpokenToTheirEnd() {
    SimulatedCall call = desk.call();
    TextLine line = desk.words(call, 1);
    call.interrupts("recorded", "What is that");
    line.say("This call is recorded, as you know. ", false, false);
    line.say(MENU, true, true);
    awaitHeard(call, 1);
    call.awaitSaid(Desk.PATIENCE);
    await().until(() -> !desk.events(call, Sounding.class).isEmpty());

    assertThat(desk.events(call, Interrupted.class)).isEmpty();
    assertThat(call.heard().getFirst().cut()).isFalse();
    // It is reported all the same.
    await()
        .until(() ->
            desk.events(call, Prompted.class)
                .contains(new Prompted("What is that", "en-US", true)));
  }

  @Test
  void agreementDoesNotInterruptAndIsNoTurn() {
    SimulatedCall call = desk.call();
    TextLine line = desk.words(call, 1);
    call.interrupts("Margherita,", "Mhm.");
    line.say(MENU, true, true);
    awaitHeard(call, 1);
    call.says("Yes.");
    call.awaitSaid(Desk.PATIENCE);
    await().until(() -> !desk.events(call, Prompted.class).isEmpty());

    assertThat(desk.events(call, Interrupted.class)).isEmpty();
    assertThat(call.heard().getFirst().words()).isEqualTo(MENU);
    // Where no one speaks it is an answer.
    assertThat(desk.events(call, Prompted.class))
        .containsExactly(new Prompted("Yes.", "en-US", true));
  }

  @Test
  void aNoiseInterruptsAndIsNotUnderstood() {
    SimulatedCall call = desk.call();
    TextLine line = desk.words(call, 1);
    call.interrupts("Margherita,", "");
    line.say(MENU, true, true);
    call.awaitSaid(Desk.PATIENCE);
    call.says("Salami");
    await().until(() -> !desk.events(call, Prompted.class).isEmpty());

    assertThat(desk.events(call, Interrupted.class)).hasSize(1);
    assertThat(desk.events(call, Prompted.class))
        .containsExactly(new Prompted("Salami", "en-US", true));
  }

  @Test
  void keysAreReportedWhileTheAgentSpeaksAndDoNotInterrupt() {
    SimulatedCall call = spoken(LONG);
    await().until(() -> !desk.events(call, Sounding.class).isEmpty());
    call.press("1#");
    await().until(() -> desk.events(call, Pressed.class).size() == 2);

    assertThat(desk.events(call, Pressed.class))
        .containsExactly(new Pressed('1'), new Pressed('#'));
    assertThat(desk.events(call, Interrupted.class)).isEmpty();
  }

  @Test
  void aCallerWhoHangsUpHasHeardABeginning() {
    SimulatedCall call = desk.call();
    desk.words(call, 1).say(LONG, true, true);
    await().until(() -> call.waiting() > 0 && call.waiting() < 628_000);
    call.hangUp();
    call.awaitOver(Desk.PATIENCE);
    await().until(() -> desk.events(call, Disconnected.class).size() == 1);
    await().until(() -> !call.heard().isEmpty());

    assertThat(LONG).startsWith(call.heard().getFirst().words());
    assertThat(call.heard().getFirst().cut()).isTrue();
    assertThat(call.statuses()).containsExactly("ringing", "in-progress", "completed");
    // The request after the session states the end before the status does.
    assertThat(desk.events(call, Status.class))
        .containsExactly(new Status("completed"), new Status("completed"));
    assertThat(desk.arrivals).hasSize(1);
    assertThat(call.faults()).isEmpty();
  }

  @Test
  void aTransferThatFailsComesBackInANewSession() {
    desk.simulator.dialEnds(PERSON, "busy");
    SimulatedCall call = spoken("One moment.");
    awaitHeard(call, 1);
    assertThat(desk.twilio.transfer(call.id(), PERSON, "+15552220000")).isEqualTo(Answer.TAKEN);
    desk.words(call, 2).say("No one answers.", true, true);
    awaitHeard(call, 2);

    assertThat(desk.events(call, Dialed.class)).containsExactly(new Dialed("busy"));
    assertThat(desk.events(call, Disconnected.class)).hasSize(1);
    assertThat(call.streams()).isGreaterThanOrEqualTo(2);
    assertThat(call.faults()).isEmpty();
  }

  @Test
  void aSessionThatFailsBeforeItBeginsIsTriedAgain() {
    desk.simulator.failRelay(64_102).failRelay(64_106).failRelay(64_105);
    SimulatedCall call = spoken("Hello.");
    awaitHeard(call, 1);

    assertThat(desk.events(call, Connected.class)).hasSize(1);
    assertThat(desk.events(call, Status.class)).isEmpty();
  }

  @Test
  void aCallWhoseSessionsAllFailEnds() {
    IntStream.range(0, 9).forEach(i -> desk.simulator.failRelay(64_102));
    SimulatedCall call = desk.call();
    call.awaitOver(Desk.PATIENCE);

    assertThat(call.streams()).isZero();
    assertThat(desk.events(call, Connected.class)).isEmpty();
    assertThat(desk.events(call, Status.class))
        .containsExactly(new Status("failed"), new Status("completed"));
    // The first one, and three more.
    assertThat(desk.arrivals).hasSize(4);
  }

  @Test
  void aSessionThatBreaksOffIsOpenedAgain() {
    SimulatedCall call = spoken("Hello.");
    awaitHeard(call, 1);
    call.failRelay(64_105);
    desk.words(call, 2).say("Hello again.", true, true);
    awaitHeard(call, 2);
    desk.words(call, 2).close(1011, "lost");
    desk.words(call, 3).say("And again.", true, true);
    awaitHeard(call, 3);

    assertThat(desk.events(call, Disconnected.class)).hasSize(2);
    assertThat(call.status()).isEqualTo("in-progress");
  }

  @Test
  void aWrongPairOfAttributesFailsTheSession() {
    take("en-US", Map.of("transcriptionProvider", "Google", "speechModel", "flux"));
    SimulatedCall call = desk.call();
    call.awaitOver(Desk.PATIENCE);

    assertThat(call.faults())
        .hasSize(4)
        .containsOnly("64106 the speechModel is not one of the transcriptionProvider");
    assertThat(desk.events(call, Status.class)).contains(new Status("failed"));
  }

  @Test
  void aForgerOpensNoSession() {
    URI relay = URI.create(desk.address().replace("http", "ws") + "/phone/twilio/relay");
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThatThrownBy(() ->
              client
                  .newWebSocketBuilder()
                  .header("X-Twilio-Signature", "wrong")
                  .buildAsync(relay, new WebSocket.Listener() {})
                  .join())
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              WebSocketHandshakeException.class,
              refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(403));
    }
  }

  @Test
  void aCarrierThatSendsNonsenseStaysConnected() {
    SimulatedCall call = desk.call();
    desk.words(call, 1);
    call.sendRaw("{".repeat(100_000));
    call.sendRaw("{\"type\":\"explode\"}");
    call.sendRaw("{\"type\":\"setup\"}");
    await().until(() -> desk.twilio.dropped() == 3);
    call.says("Hello?");
    await().until(() -> !desk.events(call, Prompted.class).isEmpty());

    assertThat(call.status()).isEqualTo("in-progress");
  }

  @Test
  void aCallHasOperationsOfItsMedium() {
    SimulatedCall text = desk.call();
    desk.words(text, 1);
    assertThatThrownBy(() -> text.flood(1)).isInstanceOf(IllegalStateException.class);

    desk.admission = new Admission.Taken(new Medium.Audio());
    SimulatedCall audio = desk.call();
    desk.line(audio);
    assertThatThrownBy(() -> audio.says("hello")).isInstanceOf(IllegalStateException.class);
    assertThat(audio.heard()).isEmpty();
  }

  @Test
  void manyCallsSpeakAtOnce() {
    List<SimulatedCall> calls = IntStream.range(0, 12).mapToObj(i -> desk.call()).toList();
    for (SimulatedCall call : calls) {
      TextLine line = desk.words(call, 1);
      call.interrupts("Funghi", "stop");
      line.say(MENU, true, true);
    }
    for (SimulatedCall call : calls) {
      call.awaitSaid(Desk.PATIENCE);
      await().until(() -> desk.events(call, Interrupted.class).size() == 1);
      assertThat(call.heard().getFirst().words()).startsWith("Today we have Margherita, Funghi");
      assertThat(call.faults()).isEmpty();
    }
  }
}
