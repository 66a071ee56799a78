package dev.switchboard.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/// The processor time of this process in nanoseconds. The JDK's own counts in hundredths of a
/// second on Linux, so there the system is asked.
final class ProcessorClock {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final boolean LINUX = System.getProperty("os.name").equals("Linux");
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;
  private static final @Nullable MethodHandle CLOCK_GETTIME = LINUX ? clockGettime() : null;

  private ProcessorClock() {}

  private static MethodHandle clockGettime() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("clock_gettime"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }

  static long nanos() {
    return CLOCK_GETTIME == null ? SYSTEM.getProcessCpuTime() : ask(CLOCK_GETTIME);
  }

  private static long ask(MethodHandle clock) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
      int failed = (int) clock.invokeExact(CLOCK_PROCESS_CPUTIME_ID, time);
      if (failed != 0) {
        throw new IllegalStateException("no processor clock");
      }
      long seconds = time.getAtIndex(ValueLayout.JAVA_LONG, 0);
      return seconds * 1_000_000_000 + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("no processor clock", e);
    }
  }
}
