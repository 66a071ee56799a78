package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import okhttp3.Request;
import okhttp3.WebSocket;
import okio.ByteString;
import org.junit.jupiter.api.Test;

/// The second of audio that may wait.
class CallerAudioTest {
  private static final long MUCH = 2_001;

  private final CallerAudio audio = new CallerAudio();
  private final Socket socket = new Socket();

  /// A connection that keeps what it is given, and may be behind.
  private static final class Socket implements WebSocket {
    final List<byte[]> batches = new ArrayList<>();
    long unsent;

    byte[] all() {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      batches.forEach(all::writeBytes);
      return all.toByteArray();
    }

    @Override
    public boolean send(String text) {
      var message = Json.text(text).tree();
      assertThat(message.path("type").stringValue()).isEqualTo("input_audio_buffer.append");
      assertThat(message.path("event_id").stringValue()).isEqualTo("audio_" + (batches.size() + 1));
      return batches.add(Base64.getDecoder().decode(message.path("audio").stringValue()));
    }

    @Override
    public long queueSize() {
      return unsent;
    }

    @Override
    public Request request() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean send(ByteString bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean close(int code, String reason) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void cancel() {}
  }

  private static byte[] frame(int value) {
    byte[] frame = new byte[160];
    Arrays.fill(frame, (byte) value);
    return frame;
  }

  private void send() {
    assertThat(audio.send(socket, 0)).isTrue();
  }

  @Test
  void reportsConnectionStuckForTenSeconds() {
    long second = TimeUnit.SECONDS.toNanos(1);
    long begin = Long.MAX_VALUE - second; // the clock overflows meanwhile
    socket.unsent = MUCH;
    assertThat(audio.send(socket, begin)).isTrue();
    assertThat(audio.send(socket, begin + 9 * second)).isTrue();
    socket.unsent = 0;
    assertThat(audio.send(socket, begin + 10 * second)).isTrue();
    socket.unsent = MUCH;
    assertThat(audio.send(socket, begin + 11 * second)).isTrue();
    assertThat(audio.send(socket, begin + 20 * second)).isTrue();
    assertThat(audio.send(socket, begin + 21 * second)).isFalse();
  }

  @Test
  void aFrameGoesOutAsItComes() {
    for (int i = 0; i < 3; i++) {
      audio.add(frame(i));
      send();
    }

    assertThat(socket.batches).containsExactly(frame(0), frame(1), frame(2));
    assertThat(audio.dropped()).isZero();
  }

  @Test
  void aFrameDoesNotWaitForTheOnesBeforeIt() {
    socket.unsent = MUCH - 1;
    audio.add(frame(1));
    send();

    assertThat(socket.batches).containsExactly(frame(1));
  }

  @Test
  void framesThatWaitedGoOutInBatchesOfAtMost100Milliseconds() {
    socket.unsent = MUCH;
    for (int i = 0; i < 8; i++) {
      audio.add(frame(i));
      send();
    }
    assertThat(socket.batches).isEmpty();
    socket.unsent = 0;
    send();

    assertThat(socket.batches).extracting(batch -> batch.length).containsExactly(800, 480);
  }

  @Test
  void ofMoreThanASecondTheOldestIsDropped() {
    for (int i = 0; i < 60; i++) {
      audio.add(frame(i));
    }
    send();

    assertThat(audio.dropped()).isEqualTo(200);
    assertThat(socket.all()).hasSize(8_000).startsWith(frame(10)).endsWith(frame(59));
  }

  @Test
  void aLongPieceIsCutToItsEnd() {
    byte[] seconds = new byte[20_000];
    new Random(1).nextBytes(seconds);
    audio.add(frame(1));
    audio.add(seconds);
    send();

    assertThat(audio.dropped()).isEqualTo((20_160 - 8_000) / 8);
    assertThat(socket.all()).isEqualTo(Arrays.copyOfRange(seconds, 12_000, 20_000));
  }

  @Test
  void nothingIsLostOrTurnedAroundAtAnyPlaceOfTheRing() {
    Random random = new Random(2);
    ByteArrayOutputStream given = new ByteArrayOutputStream();
    for (int i = 0; i < 2_000; i++) {
      byte[] piece = new byte[random.nextInt(1_500)];
      random.nextBytes(piece);
      given.writeBytes(piece);
      audio.add(piece);
      socket.unsent = i % 5 == 4 ? 0 : MUCH;
      send();
    }

    assertThat(audio.dropped()).isZero();
    assertThat(socket.all()).isEqualTo(given.toByteArray());
  }
}
