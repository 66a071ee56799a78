package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.StoreException;
import dev.switchboard.harness.CutWay;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A database that drops its connections at any moment of its first opening is away, and not out of
/// order: the next opening finds it whole.
class CutOffOpeningTest {
  private static final int MOST = 500;

  private static boolean isCut(String place, int message) throws IOException {
    int port = URI.create(place).getPort();
    try (CutWay way = new CutWay(port, message)) {
      String url = place.replace("localhost:" + port, "127.0.0.1:" + way.port());
      try {
        open(url);
      } catch (StoreException e) {
        assertThat(e.isAway()).as("%d: %s", message, e).isTrue();
        open(url);
      }
      return way.isCut();
    }
  }

  private static void open(String url) {
    try (Storage storage = Storage.shared(url, Path.of(""))) {
      var unused = storage.time();
      storage.serve(List.of("desk"));
      storage.reserve("test").close();
    }
  }

  /// The number of the first message that no opening needs, of those in steps of that length.
  private static int end(int step) throws IOException {
    int message = 1;
    while (message < MOST && isCut(PostgresServer.newPlace(), message)) {
      message += step;
    }
    return message;
  }

  @Tag("slow")
  @Test
  void aConnectionThatIsLostCountsAsAway() throws IOException {
    assertThat(end(27)).isBetween(30, MOST - 1);
  }

  @Test
  @Tag("slow")
  void eachConnectionThatIsLostCountsAsAway() throws IOException {
    assertThat(end(1)).isBetween(30, MOST - 1);
  }
}
