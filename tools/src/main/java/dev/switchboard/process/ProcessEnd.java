package dev.switchboard.process;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The end of this process, by a signal or normally: first the registered actions run concurrently,
/// such as the end of turns with their programs; then all remaining programs are ended.
public final class ProcessEnd {
  private static final Set<Before> BEFORE = ConcurrentHashMap.newKeySet();
  private static final Set<ChildProcess> PROGRAMS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ProcessEnd::come, "end of process"));
  }

  private ProcessEnd() {}

  /// An action at the end of the process; removed when this is closed.
  public static final class Before implements AutoCloseable {
    private final Runnable work;

    private Before(Runnable work) {
      this.work = work;
    }

    @Override
    public void close() {
      BEFORE.remove(this);
    }
  }

  /// Registers an action to run before programs are ended. The process waits for it.
  public static Before first(Runnable work) {
    Before before = new Before(work);
    BEFORE.add(before);
    return before;
  }

  /// Registers a program to be ended at the end.
  static void ends(ChildProcess program) {
    PROGRAMS.add(program);
  }

  /// Unregisters a program that has ended.
  static void ended(ChildProcess program) {
    PROGRAMS.remove(program);
  }

  private static void come() {
    List<Thread> works =
        BEFORE.stream()
            .map(before -> Thread.ofPlatform().name("signal").start(before.work))
            .toList();
    try {
      for (Thread work : works) {
        work.join();
      }
    } catch (InterruptedException e) {
      // Never happens.
    } finally {
      PROGRAMS.forEach(ChildProcess::close);
    }
  }
}
