package dev.switchboard.wasm;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads that modules run on: as many as there are processors, so that this bounds the memory
/// of all calls together; further calls wait their turn.
///
/// They are platform threads. A module's loop gives way to no other, and would hold the carrier of
/// a virtual thread, of which there are few; and their stack is as large as stated here: a
/// recursion of some thousand calls.
final class Guests {
  private static final long STACK = 512 << 10;
  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor threads;

  Guests() {
    int places = Math.max(2, Runtime.getRuntime().availableProcessors());
    threads =
        new ThreadPoolExecutor(
            places,
            places,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            run ->
                Thread.ofPlatform()
                    .daemon()
                    .name("wasm")
                    .stackSize(STACK)
                    .inheritInheritableThreadLocals(false)
                    .unstarted(run));
    threads.allowCoreThreadTimeOut(true);
  }

  /// Has the guest run as soon as there is a place.
  void admit(Guest guest) {
    threads.execute(guest);
  }

  /// Whether a module is running.
  boolean busy() {
    return threads.getActiveCount() > 0;
  }

  /// Ends the guest, wherever it is.
  void dismiss(Guest guest) {
    guest.stop();
    boolean unusedWaited = threads.remove(guest);
  }
}
