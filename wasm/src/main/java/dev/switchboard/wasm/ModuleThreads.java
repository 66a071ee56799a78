package dev.switchboard.wasm;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads on which modules run. There are as many as processors, which limits the memory of
/// all calls together; further calls wait.
///
/// They are platform threads. A module's loop does not yield and would block the carrier of a
/// virtual thread, and there are few carriers. Their stack size is stated here, enough for a
/// recursion of some thousand calls.
final class ModuleThreads {
  private static final long STACK = 512 << 10;
  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor threads;

  ModuleThreads() {
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

  /// Runs the guest as soon as a thread is free.
  void admit(ModuleCall guest) {
    threads.execute(guest);
  }

  /// Whether a module is running.
  boolean busy() {
    return threads.getActiveCount() > 0;
  }

  /// Stops the guest, whether it runs or waits.
  void dismiss(ModuleCall guest) {
    guest.stop();
    boolean unusedWaited = threads.remove(guest);
  }
}
