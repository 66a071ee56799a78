package dev.switchboard.phone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.audio.Tone;
import dev.switchboard.phone.testing.LineRecording.Stretch;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import javax.sound.sampled.AudioFormat;
import javax.sound.sampled.AudioInputStream;
import javax.sound.sampled.AudioSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineRecordingTest {
  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private final byte[] agent =
      joined(
          MuLaw.silence(Duration.ofMillis(100)),
          Tone.of(440, 0.5, Duration.ofMillis(200)),
          MuLaw.silence(Duration.ofMillis(40)),
          Tone.of(440, 0.5, Duration.ofMillis(60)),
          MuLaw.silence(Duration.ofMillis(600)),
          Tone.of(440, 0.5, Duration.ofMillis(100)));

  @Test
  void tellsTheStretchesOfSound() {
    LineRecording recording = new LineRecording(MuLaw.silence(Duration.ofMillis(1_100)), agent);

    assertThat(recording.heard(100))
        .containsExactly(new Stretch(100, 400), new Stretch(1_000, 1_100));
    assertThat(recording.heard(20)).hasSize(3);
    assertThat(recording.said(20)).isEmpty();
  }

  @Test
  void isWrittenAsAWavFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("call.wav");
    new LineRecording(MuLaw.silence(Duration.ofMillis(50)), agent).write(file);

    try (AudioInputStream in = AudioSystem.getAudioInputStream(file.toFile())) {
      assertThat(in.getFormat().getEncoding()).isEqualTo(AudioFormat.Encoding.ULAW);
      assertThat(in.getFormat().getChannels()).isEqualTo(2);
      assertThat(in.getFormat().getSampleRate()).isEqualTo(8_000);
      assertThat(in.getFrameLength()).isEqualTo(agent.length);
      byte[] frames = in.readAllBytes();
      assertThat(frames[2 * 1_000 + 1]).isEqualTo(agent[1_000]);
      assertThat(frames[2 * 1_000]).isEqualTo(MuLaw.SILENCE);
    }
  }
}
