package dev.switchboard.phone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.audio.Tone;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.Carrier.Admission;
import dev.switchboard.phone.carrier.Carrier.Answer;
import dev.switchboard.phone.carrier.CarrierEvent.Connected;
import dev.switchboard.phone.carrier.CarrierEvent.Dialed;
import dev.switchboard.phone.carrier.CarrierEvent.Disconnected;
import dev.switchboard.phone.carrier.CarrierEvent.Heard;
import dev.switchboard.phone.carrier.CarrierEvent.Played;
import dev.switchboard.phone.carrier.CarrierEvent.Pressed;
import dev.switchboard.phone.carrier.CarrierEvent.Status;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Calls of the simulator over a real server and real sockets.
class TwilioSimulatorTest {
  private static final String PERSON = "+15553330000";

  private final Desk desk = new Desk(10);

  @AfterEach
  void close() {
    desk.close();
  }

  private static int indexOf(byte[] all, byte[] part) {
    return IntStream.rangeClosed(0, all.length - part.length)
        .filter(i -> Arrays.equals(all, i, i + part.length, part, 0, part.length))
        .findFirst()
        .orElse(-1);
  }

  /// The audio without silence.
  private static byte[] sounds(byte[] audio) {
    ByteArrayOutputStream sounds = new ByteArrayOutputStream();
    for (byte sample : audio) {
      if (sample != MuLaw.SILENCE) {
        sounds.write(sample);
      }
    }
    return sounds.toByteArray();
  }

  private static boolean inOrder(List<Heard> heard) {
    return IntStream.range(1, heard.size())
        .allMatch(i -> heard.get(i - 1).at() < heard.get(i).at());
  }

  @Test
  void aCallIsHeardAndAnsweredAndEnds() {
    byte[] question = Tone.of(300, 0.5, Duration.ofMillis(500));
    byte[] answer = Tone.of(600, 0.5, Duration.ofMillis(700));
    SimulatedCall call = desk.call();
    AudioLine line = desk.line(call);
    call.say(question);
    line.play(Arrays.copyOf(answer, 4_000));
    line.mark("half");
    line.play(Arrays.copyOfRange(answer, 4_000, answer.length));
    line.mark("end");
    await().until(() -> desk.events(call, Played.class).size() == 2);
    call.awaitSaid(Desk.PATIENCE);
    await().until(() -> indexOf(desk.heard(call), question) >= 0);
    call.press("12#");
    await().until(() -> desk.events(call, Pressed.class).size() == 3);
    // Sound that crosses the end comes too late.
    assertThat(desk.twilio.dropped()).isZero();
    call.hangUp();
    call.awaitOver(Desk.PATIENCE);

    assertThat(desk.events(call, Played.class))
        .containsExactly(new Played("half"), new Played("end"));
    assertThat(desk.events(call, Pressed.class))
        .containsExactly(new Pressed('1'), new Pressed('2'), new Pressed('#'));
    // A slow machine may send the second half when the first one has been heard.
    assertThat(sounds(call.recording().agent())).isEqualTo(sounds(answer));
    assertThat(call.recording().heard(50)).isNotEmpty();
    assertThat(indexOf(call.recording().caller(), question)).isNotNegative();
    assertThat(call.statuses()).containsExactly("ringing", "in-progress", "completed");
    assertThat(call.faults()).isEmpty();
    await().until(() -> desk.events(call, Disconnected.class).size() == 1);
    assertThat(desk.events(call, Status.class)).containsExactly(new Status("completed"));
    assertThat(desk.arrivals).hasSize(1);
    assertThat(desk.arrivals.getFirst().from()).isEqualTo("+15551110000");
  }

  @Test
  void marksComeBackOnceWhatIsBeforeThemHasPlayed() {
    SimulatedCall call = desk.call();
    AudioLine line = desk.line(call);
    line.play(Tone.of(440, 0.5, Duration.ofSeconds(2)));
    line.mark("late");
    long sent = System.nanoTime();
    await().until(() -> desk.events(call, Played.class).size() == 1);
    long played =
        desk.told(call).stream()
            .filter(told -> told.event() instanceof Played)
            .findFirst()
            .orElseThrow()
            .nanos();

    // Two seconds of a clock that is ten times as fast.
    assertThat(played - sent).isGreaterThanOrEqualTo(Duration.ofMillis(170).toNanos());
    line.mark("at once");
    await().until(() -> desk.events(call, Played.class).size() == 2);
  }

  @Test
  void aClearForgetsWhatWaitsAndReturnsItsMarks() {
    SimulatedCall call = desk.call();
    AudioLine line = desk.line(call);
    line.play(Tone.of(440, 0.5, Duration.ofSeconds(60)));
    line.mark("one");
    line.mark("two");
    await().until(() -> call.waiting() > 0 && call.waiting() < 59_900);
    line.clear();
    await().until(() -> desk.events(call, Played.class).size() == 2);

    assertThat(call.waiting()).isZero();
    assertThat(desk.events(call, Played.class))
        .containsExactly(new Played("one"), new Played("two"));
    assertThat(call.recording().heard(50).getFirst().length()).isLessThan(20_000);
  }

  @Test
  void aTransferThatFailsComesBackOnANewStream() {
    desk.simulator.dialEnds(PERSON, "busy");
    SimulatedCall call = desk.call();
    AudioLine line = desk.line(call);

    assertThat(desk.twilio.transfer(call.id(), PERSON, "+15552220000")).isEqualTo(Answer.TAKEN);
    AudioLine again = desk.line(call, 2);
    again.mark("here");
    await().until(() -> desk.events(call, Played.class).size() == 1);
    line.play(new byte[160]);

    assertThat(call.dialed()).containsExactly(PERSON);
    assertThat(desk.events(call, Dialed.class)).containsExactly(new Dialed("busy"));
    assertThat(desk.events(call, Disconnected.class)).hasSize(1);
    assertThat(call.faults()).isEmpty();

    desk.simulator.dialEnds(PERSON, "completed");
    desk.twilio.transfer(call.id(), PERSON, "+15552220000");
    call.awaitOver(Desk.PATIENCE);
    assertThat(desk.events(call, Dialed.class)).hasSize(2);
    // More may have been opened, and refused, where ours still knew the one before.
    assertThat(desk.events(call, Connected.class)).hasSize(2);
    assertThat(desk.simulator.orders()).extracting(TwilioSimulator.Order::status).containsOnly(200);
  }

  @Test
  void ordersEndACallOnce() {
    SimulatedCall call = desk.call();
    desk.line(call);
    assertThat(desk.twilio.hangUp(call.id())).isEqualTo(Answer.TAKEN);
    call.awaitOver(Desk.PATIENCE);
    assertThat(desk.twilio.hangUp(call.id())).isEqualTo(Answer.TAKEN);
    assertThat(desk.simulator.orders())
        .extracting(TwilioSimulator.Order::status)
        .containsExactly(200, 404);

    SimulatedCall other = desk.call();
    desk.line(other);
    desk.twilio.sayAndHangUp(other.id(), "Good <b>bye");
    other.awaitOver(Desk.PATIENCE);
    assertThat(other.spoken()).containsExactly("Good <b>bye");
    await().until(() -> desk.events(other, Disconnected.class).size() == 1);
  }

  @Test
  void ordersMeetFailures() {
    SimulatedCall call = desk.call();
    desk.line(call);
    desk.simulator.refuse(400, 21_211);
    assertThat(desk.twilio.transfer(call.id(), PERSON, "").error()).contains("21211");
    assertThat(call.status()).isEqualTo("in-progress");

    desk.simulator.cutOff();
    assertThat(desk.twilio.transfer(call.id(), PERSON, "").error())
        .isEqualTo("Twilio could not be reached.");
    call.awaitOver(Desk.PATIENCE);
    // It was carried out, though no answer came, and not asked for again.
    assertThat(call.dialed()).containsExactly(PERSON);
    assertThat(desk.simulator.orders()).hasSize(2);
  }

  @Test
  void aCallThatIsNotTakenIsRejected() {
    desk.admission = new Admission.Busy("");
    SimulatedCall busy = desk.call();
    busy.awaitOver(Desk.PATIENCE);
    assertThat(busy.statuses()).containsExactly("ringing", "busy");

    desk.admission = new Admission.UnknownNumber();
    SimulatedCall unknown = desk.call();
    unknown.awaitOver(Desk.PATIENCE);
    assertThat(unknown.streams()).isZero();
    assertThat(desk.events(unknown, Connected.class)).isEmpty();
  }

  @Test
  void reopensClosedSocketDuringCall() {
    SimulatedCall call = desk.call();
    desk.line(call).close(1011, "lost");
    desk.line(call, 2).mark("here");
    await().until(() -> desk.events(call, Played.class).size() == 1);

    desk.admission = new Admission.Busy("");
    desk.line(call, 2).close(1000, "");
    call.awaitOver(Desk.PATIENCE);
  }

  @Test
  void aForgerReachesNeitherRouteNorSocket() throws Exception {
    try (TwilioSimulator forger = TwilioSimulator.start(10)) {
      forger.tunnel(Desk.URL, desk.address());
      SimulatedCall call = forger.call(Desk.URL, "+15551110000", "+15552220000");
      call.awaitOver(Desk.PATIENCE);
      assertThat(call.faults())
          .containsExactly(
              "11200 the webhook answers 403", "11200 the status callback answers 403");
    }
    HttpClient client = HttpClient.newHttpClient();
    URI media = URI.create(desk.address().replace("http", "ws") + "/phone/twilio/media");
    CompletionException refused =
        assertThrows(
            CompletionException.class,
            () ->
                client
                    .newWebSocketBuilder()
                    .header("X-Twilio-Signature", "wrong")
                    .buildAsync(media, new WebSocket.Listener() {})
                    .join());

    assertThat(((WebSocketHandshakeException) refused.getCause()).getResponse().statusCode())
        .isEqualTo(403);
    HttpResponse<String> unsigned =
        client.send(
            HttpRequest.newBuilder(URI.create(desk.address() + "/phone/twilio/voice"))
                .POST(BodyPublishers.ofString("CallSid=CA" + "0".repeat(32)))
                .build(),
            BodyHandlers.ofString());
    assertThat(unsigned.statusCode()).isEqualTo(403);
    assertThat(unsigned.body()).isEqualTo("Invalid signature");
    assertThat(desk.arrivals).isEmpty();
    assertThat(desk.calls()).isZero();
  }

  @Test
  void lostMarksAndMediaOutOfOrderAreToldAsTheyCome() {
    SimulatedCall call = desk.call();
    AudioLine line = desk.line(call);
    call.loseMarks(true);
    line.mark("lost");
    call.reorderMedia(true);
    await().until(() -> !inOrder(desk.events(call, Heard.class)));
    call.reorderMedia(false);

    assertThat(desk.events(call, Heard.class)).extracting(Heard::at).doesNotHaveDuplicates();
    assertThat(desk.events(call, Played.class)).isEmpty();
  }

  @Test
  void mediaThatIsLostLeavesAGapInTheTimes() {
    SimulatedCall call = desk.call();
    desk.line(call);
    call.loseMedia(Duration.ofMillis(400));

    // Twenty frames are lost between two that are heard.
    await().until(() -> widestStep(desk.events(call, Heard.class)) == 420);
  }

  private static long widestStep(List<Heard> heard) {
    return IntStream.range(1, heard.size())
        .mapToLong(i -> heard.get(i).at() - heard.get(i - 1).at())
        .max()
        .orElse(0);
  }

  @Test
  void aFloodOfFramesHarmsNoOtherCall() {
    SimulatedCall flooded = desk.call();
    SimulatedCall calm = desk.call();
    desk.line(flooded);
    AudioLine line = desk.line(calm);
    flooded.flood(5_000);
    flooded.sendRaw("{".repeat(100_000));
    flooded.sendRaw("{\"event\":\"explode\"}");
    line.mark("here");
    await().until(() -> desk.events(calm, Played.class).size() == 1);
    await().until(() -> desk.events(flooded, Heard.class).size() >= 5_000);
    await().until(() -> desk.twilio.dropped() == 2);

    assertThat(flooded.status()).isEqualTo("in-progress");
  }

  @Test
  void aCarrierThatDoesNotReadDelaysNoOne() {
    SimulatedCall stuck = desk.call();
    AudioLine line = desk.line(stuck);
    stuck.stopReading();
    byte[] minute = MuLaw.silence(Duration.ofMinutes(1));
    for (int i = 0; i < 20; i++) {
      line.play(minute);
      line.mark("m" + i);
    }
    line.clear();

    SimulatedCall calm = desk.call();
    desk.line(calm).mark("here");
    await().until(() -> desk.events(calm, Played.class).size() == 1);
  }

  @Test
  void manyCallsComeAtOnceAndCallbacksMayRepeat() {
    desk.simulator.repeating(true);
    List<SimulatedCall> calls = IntStream.range(0, 12).mapToObj(i -> desk.call()).toList();
    for (SimulatedCall call : calls) {
      desk.line(call).mark("m");
    }
    await()
        .until(() -> calls.stream().allMatch(call -> desk.events(call, Played.class).size() == 1));
    calls.forEach(SimulatedCall::hangUp);
    calls.forEach(call -> call.awaitOver(Desk.PATIENCE));

    await()
        .untilAsserted(() ->
            assertThat(calls)
                .allSatisfy(call -> assertThat(desk.events(call, Disconnected.class)).hasSize(1)));
    for (SimulatedCall call : calls) {
      assertThat(desk.events(call, Status.class)).hasSize(2);
      assertThat(call.faults()).isEmpty();
    }
  }
}
