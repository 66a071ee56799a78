package dev.switchboard.store;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The queues in which an agent's concurrent edits of a block wait for each other, in order. Edits
/// are safe without them, but all but one of several would have to start again.
final class EditQueues {
  private static final int QUEUES = 64;
  // An edit that waited so long goes ahead: it must not wait for all failures before it.
  private static final long PATIENCE_MILLIS = 1_000;

  private final ReentrantLock[] queues =
      IntStream.range(0, QUEUES)
          .mapToObj(any -> new ReentrantLock(true))
          .toArray(ReentrantLock[]::new);

  <T> T inTurn(String agent, String label, Supplier<T> edit) {
    ReentrantLock queue = queues[Math.floorMod(Objects.hash(agent, label), QUEUES)];
    boolean locked = locked(queue);
    try {
      return edit.get();
    } finally {
      if (locked) {
        queue.unlock();
      }
    }
  }

  private static boolean locked(ReentrantLock queue) {
    try {
      return queue.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
