package dev.switchboard.text;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Warnings that are logged once a minute, however often their cause recurs.
///
/// Thread-safe.
public final class Seldom {
  private static final long MINUTE = 60_000_000_000L;
  private static final int MOST = 100;

  private final LongSupplier nanos;
  private final Map<String, Long> logged =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST;
        }
      }; // when, by line; guarded by this

  /// @param nanos the time, such as `System::nanoTime`
  public Seldom(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// As [Thrown#warn], once a minute for the same line.
  public void warn(System.Logger log, String what, Throwable thrown) {
    if (isDue(what + ": " + Thrown.words(thrown))) {
      Thrown.warn(log, what, thrown);
    } else {
      log.log(Level.DEBUG, what, thrown);
    }
  }

  private synchronized boolean isDue(String line) {
    long now = nanos.getAsLong();
    Long last = logged.get(line);
    boolean due = last == null || now - last >= MINUTE;
    if (due) {
      Long unused = logged.put(line, now);
    }
    return due;
  }
}
