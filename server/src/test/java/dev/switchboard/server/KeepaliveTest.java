package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.store.InProcessConversations;
import java.time.Duration;
import java.util.Iterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Streams in which nothing happens, for longer than they may be silent.
@Tag("slow")
class KeepaliveTest {
  @Test
  void aStreamThatHasNothingToTellSaysThatItLives() {
    try (TestServer server = new TestServer(agent -> agent.store(new InProcessConversations()))) {
      String path = "/v1/conversations/" + server.zoe.conversation() + "/events";
      Iterator<String> lines = server.zoe.stream(path);
      assertThat(lines.next()).isEqualTo(": keepalive");
      assertThat(lines.next()).isEmpty();
      long began = System.nanoTime();

      assertThat(lines.next()).isEqualTo(": keepalive");
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .isBetween(Duration.ofSeconds(14), Duration.ofSeconds(20));
    }
  }
}
