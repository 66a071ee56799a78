package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.mount.Role;
import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Streams in which nothing happens, for longer than they may be silent.
class KeepaliveTest {
  private final ManualTime time = new ManualTime();

  @Test
  void aStreamThatHasNothingToTellSaysThatItLives() {
    try (TestServer server =
        new TestServer(
            agent -> agent.store(new InProcessConversations()), settings -> settings.time(time))) {
      String path = "/v1/conversations/" + server.zoe.conversation() + "/events";
      Iterator<String> lines = server.zoe.stream(path);
      assertThat(lines.next()).isEqualTo(": keepalive");
      assertThat(lines.next()).isEmpty();
      Duration begin = time.elapsed();

      CompletableFuture<String> next =
          CompletableFuture.supplyAsync(lines::next, Thread::startVirtualThread);
      await()
          .until(() -> {
            time.advance(Duration.ofSeconds(1));
            return next.isDone();
          });
      assertThat(next).isCompletedWithValue(": keepalive");
      assertThat(time.elapsed().minus(begin)).isGreaterThanOrEqualTo(Wire.KEEPALIVE);
    }
  }

  @Test
  void revokedTokenEndsBusyStream() {
    try (TestServer server =
        new TestServer(
            agent -> agent.store(new InProcessConversations()), settings -> settings.time(time))) {
      TestServer.Client other = server.client("other", Role.OPERATE);
      Iterator<String> notices = other.stream("/v1/events");
      assertThat(notices.next()).isEqualTo(": keepalive");
      assertThat(notices.next()).isEmpty();

      assertThat(server.tokens.revoke("other")).isTrue();
      time.advance(Duration.ofSeconds(2));
      server.model.says("One.").says("Two.");
      String conversation = server.zoe.conversation();
      server.zoe.say(conversation, "First");
      server.zoe.say(conversation, "Second");

      assertThat(notices.hasNext()).isFalse();
    }
  }
}
