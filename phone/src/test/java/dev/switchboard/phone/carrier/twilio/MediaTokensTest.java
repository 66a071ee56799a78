package dev.switchboard.phone.carrier.twilio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.ManualTime;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MediaTokensTest {
  private final MediaTokens tokens = new MediaTokens(new ManualTime(), new Random(7));

  @Test
  void dropsOldestUnconnectedCallBeyondTheLimit() {
    String live = String.valueOf(tokens.announce("live"));
    assertThat(tokens.take("live", live)).isTrue();
    String first = String.valueOf(tokens.announce("first"));
    String second = String.valueOf(tokens.announce("second"));
    for (int i = 0; i < 9_998; i++) {
      assertThat(tokens.announce("call " + i)).isNotNull();
    }

    assertThat(tokens.take("first", first)).isFalse();
    assertThat(tokens.take("second", second)).isTrue();
    tokens.free("live", live);
    assertThat(tokens.take("live", live)).isTrue();
  }
}
