package dev.switchboard.process;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The end of this process, by a signal or by its own will, in order: first what has to come to an
/// end well does, side by side, such as turns with the programs that they run; then all programs
/// are ended that are still there.
public final class ProcessEnd {
  private static final Set<Before> BEFORE = ConcurrentHashMap.newKeySet();
  private static final Set<ChildProcess> PROGRAMS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ProcessEnd::come, "end of process"));
  }

  private ProcessEnd() {}

  /// Work that is done at the end, which waits for it; not any more once it is closed.
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

  /// Has that work done before programs are ended. It may take its time: the process waits.
  public static Before first(Runnable work) {
    Before before = new Before(work);
    BEFORE.add(before);
    return before;
  }

  /// Has that program ended at the end.
  static void ends(ChildProcess program) {
    PROGRAMS.add(program);
  }

  /// That program is ended.
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
      // Nobody does that.
    } finally {
      PROGRAMS.forEach(ChildProcess::close);
    }
  }
}
