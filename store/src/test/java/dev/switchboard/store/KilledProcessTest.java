package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.harness.Killed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process said it had kept is there after it was killed in the midst of its work.
@Tag("slow")
class KilledProcessTest {
  private static final int ROUNDS = Integer.getInteger("switchboard.kills", 5);

  @TempDir private Path folder;

  @Test
  void losesNothingThatWasAcknowledged() throws IOException, InterruptedException {
    Path file = folder.resolve("store.db");
    Random moments = Killed.moments("conversations in SQLite");
    Set<Integer> acknowledged = new TreeSet<>(Set.of(0));
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged.addAll(Killed.acknowledged(moments, KilledWriter.class, file.toString()));
      try (ConversationStore store = Storage.sqlite(file, "agent")) {
        int last = Collections.max(acknowledged);
        assertThat(store.state("c").load().value().turn()).isBetween(last, last + 1);
        // Without the beginning, which nobody has kept.
        assertThat(acknowledged.stream().skip(1))
            .allMatch(number -> store.settledCall("c", "call-" + number) != null);
      }
    }
  }
}
