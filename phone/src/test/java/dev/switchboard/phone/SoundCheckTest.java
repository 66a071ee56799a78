package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.testing.LineRecording;
import dev.switchboard.phone.testing.Speech;
import dev.switchboard.phone.testing.TwilioSimulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What a recorder on the caller's line has of a whole call, sample for sample; with
/// `-Dgolden.write=true` it draws `docs/images/phone-call.svg` again.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SoundCheckTest {
  private static final boolean WRITES = Boolean.getBoolean("golden.write");
  private static final int FRAME_MS = 20;
  private static final int MARK_MS = 200;

  private RecordedCall played;
  private byte[] heard;
  private int beforeCut; // sounding samples before the answer that is cut off
  private int cut; // sounding samples of it that were heard

  @BeforeAll
  void play(@TempDir Path folder) throws IOException {
    played = RecordedCall.play(folder, WRITES ? 1 : 2);
    heard = played.whole().agent();
    beforeCut =
        sounds(RecordedCall.GREETING).length
            + sounds(RecordedCall.REASSURANCE).length
            + sounds(RecordedCall.ANSWER).length;
    cut = RecordedCall.sounds(heard).length - beforeCut - sounds(RecordedCall.FAREWELL).length;
  }

  private static byte[] sounds(String words) {
    return RecordedCall.sounds(Speech.of(words));
  }

  /// What is to be heard, one after the other: what overlaps or is torn would be something else.
  private byte[] expected() {
    ByteArrayOutputStream audio = new ByteArrayOutputStream();
    audio.writeBytes(sounds(RecordedCall.GREETING));
    audio.writeBytes(sounds(RecordedCall.REASSURANCE));
    audio.writeBytes(sounds(RecordedCall.ANSWER));
    audio.writeBytes(Arrays.copyOf(sounds(RecordedCall.CUT_ANSWER), Math.max(0, cut)));
    audio.writeBytes(sounds(RecordedCall.FAREWELL));
    return audio.toByteArray();
  }

  @Test
  void eachPieceIsHeardWholeAndNoneOverAnother() {
    assertThat(played.call().faults()).isEmpty();
    assertThat(cut).isBetween(1, sounds(RecordedCall.CUT_ANSWER).length - 1);
    assertThat(RecordedCall.sounds(heard)).isEqualTo(expected());
  }

  @Test
  void hangsUpOnlyAfterFarewellIsHeard() {
    assertThat(RecordedCall.sounds(played.beforeEnd().agent())).isEqualTo(expected());
    assertThat(played.orders()).hasSize(1);
    TwilioSimulator.Order order = played.orders().getFirst();
    assertThat(order.form()).containsEntry("Status", "completed");
    assertThat(order.status()).isEqualTo(200);
  }

  @Test
  void nothingOfTheInterruptedAnswerSoundsAfterTheClear() {
    int last = RecordedCall.place(heard, beforeCut + cut - 1);
    assertThat(last).isLessThan(played.cleared() + 2 * FRAME_MS * MuLaw.SAMPLES_PER_MS);
    int next = RecordedCall.place(heard, beforeCut + cut);
    assertThat(next).isGreaterThan(played.cleared());
  }

  @Test
  void theModelIsToldWhatWasHeardOfIt() {
    // The marks of what was heard before the caller spoke have come back before the words did.
    int samples = RecordedCall.place(Speech.of(RecordedCall.CUT_ANSWER), cut - 1) + 1;
    int heardMs = samples / MuLaw.SAMPLES_PER_MS;
    assertThat(played.session().received("conversation.item.truncate"))
        .singleElement()
        .satisfies(told ->
            assertThat(told.path("audio_end_ms").asInt())
                .isBetween(RecordedCall.BEFORE_CUT_MS - MARK_MS - FRAME_MS, heardMs));
  }

  @Test
  void thePictureShowsThisCall() throws IOException {
    WavePicture picture = picture();
    if (WRITES) {
      Files.writeString(image(), picture.svg());
    }
    String shown = Files.readString(image());
    int at = 0;
    for (String label : picture.labels()) {
      at = shown.indexOf(">" + label + "</text>", at);
      assertThat(at).as(label).isPositive();
    }
  }

  private WavePicture picture() {
    WavePicture picture = new WavePicture(played.whole());
    int before = draw(picture, "greeting", "agent", 0, sounds(RecordedCall.GREETING).length);
    before = draw(picture, "reassurance", "aside", before, sounds(RecordedCall.REASSURANCE).length);
    before = draw(picture, "answer", "agent", before, sounds(RecordedCall.ANSWER).length);
    before = draw(picture, "answer, cut off", "agent", before, cut);
    draw(picture, "farewell", "agent", before, sounds(RecordedCall.FAREWELL).length);
    List<LineRecording.Stretch> said = played.whole().said(500);
    List<String> labels = List.of("a question", "another question", "an interruption");
    assertThat(said).hasSameSizeAs(labels);
    for (int i = 0; i < said.size(); i++) {
      picture.caller(labels.get(i), sample(said.get(i).start()), sample(said.get(i).end()));
    }
    picture.event("clear", played.cleared());
    picture.event("hang-up", played.beforeEnd().agent().length);
    return picture;
  }

  /// Draws the piece of so many sounding samples behind those before.
  private int draw(WavePicture picture, String label, String look, int before, int count) {
    int from = RecordedCall.place(heard, before);
    picture.agent(label, look, from, RecordedCall.place(heard, before + count - 1) + 1);
    return before + count;
  }

  private static int sample(long milliseconds) {
    return (int) milliseconds * MuLaw.SAMPLES_PER_MS;
  }

  private static Path image() {
    Path here = Path.of("").toAbsolutePath();
    Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
    return root.resolve("docs/images/phone-call.svg");
  }
}
