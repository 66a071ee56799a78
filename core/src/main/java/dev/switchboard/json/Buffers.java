package dev.switchboard.json;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.RecyclerPool;

/// Jackson's buffers between two uses, in slots that threads share, so that neither a platform
/// thread nor a short-lived virtual one has any of its own.
///
/// Thread-safe: a slot is emptied and filled in one step, and a thread that finds it empty makes a
/// new buffer.
final class Buffers implements RecyclerPool<BufferRecycler> {
  private static final long serialVersionUID = 1L;

  private static final int SLOTS = 16;
  // Slots of two threads lie in different cache lines.
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
