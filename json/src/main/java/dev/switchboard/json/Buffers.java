package dev.switchboard.json;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.RecyclerPool;

/// A pool of Jackson's buffers in slots that threads share, so that neither platform threads nor
/// short-lived virtual threads have their own.
///
/// Thread-safe: a slot is emptied and filled atomically; a thread that finds it empty creates a new
/// buffer.
final class Buffers implements RecyclerPool<BufferRecycler> {
  private static final long serialVersionUID = 1L;

  private static final int SLOTS = 16;
  // The slots of two threads are in different cache lines.
  private static final int STRIDE = 16;

  private final transient AtomicReferenceArray<@Nullable BufferRecycler> slots =
      new AtomicReferenceArray<>(SLOTS * STRIDE);

  @Override
  public BufferRecycler acquirePooled() {
    BufferRecycler kept = slots.getAndSet(slot(), null);
    return kept == null ? new BufferRecycler() : kept;
  }

  @Override
  public void releasePooled(BufferRecycler used) {
    slots.setRelease(slot(), used);
  }

  private static int slot() {
    return (int) (Thread.currentThread().threadId() % SLOTS) * STRIDE;
  }
}
