package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolSession;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.time.Time;
import java.util.List;
import org.junit.jupiter.api.Test;

class TranscriptTest {
  private final Transcript transcript =
      new Transcript(ToolSession.of("c"), tool -> false, null, Time.SYSTEM, null);

  @Test
  void answersAnEffectFromItsLine() {
    said("turn1/input", "first");

    assertThat(said("turn1/input", "second"))
        .isEqualTo(new TranscriptEntry.Said("i", "first", null, 1));
    assertThat(transcript.history().messages()).hasSize(1);
  }

  @Test
  void knowsTheCallsOfItsLines() {
    called("turn1/round1/model", "call_a");

    assertThat(transcript.history().knowsCall("call_a")).isTrue();
    assertThat(transcript.history().knowsCall("call_b")).isFalse();
  }

  @Test
  void givesTheLinesOfTheLatestTurnOnly() {
    said("turn1/input", "first");
    TranscriptEntry input = said("turn11/input", "second");
    TranscriptEntry reply = called("turn11/round1/model", "call_a");

    assertThat(transcript.latestTurn("turn11/end")).containsExactly(reply, input);
  }

  @Test
  void keepsOnlyTheLastTwoTurnsAndReadableCalls() {
    for (int i = 1; i <= 30; i++) {
      said("turn" + i + "/input", "again");
      called("turn" + i + "/round1/model", "call_" + i);
    }

    assertThat(transcript.find("turn28/round1/model")).isNull();
    assertThat(transcript.find("turn29/round1/model")).isNotNull();
    assertThat(transcript.find("turn30/round1/model")).isNotNull();
    assertThat(transcript.history().knowsCall("call_1")).isTrue();
    assertThat(transcript.history().knowsCall("call_29")).isTrue();
    assertThat(transcript.history().knowsCall("call_30")).isTrue();
  }

  @Test
  void forgetsTheOldestLinesOfAVeryLongTurn() {
    for (int i = 0; i <= 4000; i++) {
      called("turn1/round" + i + "/model", "call_" + i);
    }

    assertThat(transcript.find("turn1/round0/model")).isNull();
    assertThat(transcript.find("turn1/round4000/model")).isNotNull();
  }

  private TranscriptEntry.Said said(String key, String text) {
    return transcript.once(
        key, TranscriptEntry.Said.class, () -> new TranscriptEntry.Said("i", text, null, 1));
  }

  private TranscriptEntry.Replied called(String key, String id) {
    ModelReply reply = ModelReply.calls(RequestedCall.of(id, "order", "{}"));
    return transcript.once(
        key,
        TranscriptEntry.Replied.class,
        () -> new TranscriptEntry.Replied(reply, List.of("own")));
  }
}
