package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplyStreamTest {
  private final List<String> heard = new ArrayList<>();
  private final ReplyStream stream = new ReplyStream(heard::add);

  @Test
  void onlyHalfASurrogatePairWaitsForTheOtherHalf() {
    stream.text("a\ud83d");
    assertThat(heard).containsExactly("a");
    stream.text("\ude00b\ud83d");
    assertThat(heard).containsExactly("a", "\ud83d\ude00b");
    stream.text("");
    stream.text("\ud83d");
    assertThat(heard).containsExactly("a", "\ud83d\ude00b", "\ufffd");
    stream.end();
    assertThat(heard).containsExactly("a", "\ud83d\ude00b", "\ufffd", "\ufffd");
  }
}
