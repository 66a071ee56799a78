package dev.switchboard.text;

import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Lines that are logged once a minute, however often their cause recurs.
///
/// Thread-safe.
public final class RateLimitedLog {
  private static final long MINUTE = 60_000_000_000L;
  private static final int MOST = 100;

  private final LongSupplier nanos;
  private final Map<String, Logged> logged =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Logged> eldest) {
          return size() > MOST;
        }
      }; // by line; guarded by this

  /// When a line was logged, and how often it was left out since.
  private record Logged(long at, int leftOut) {
    Logged again() {
      return new Logged(at, leftOut + 1);
    }
  }

  /// @param nanos the time, such as `System::nanoTime`
  public RateLimitedLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// As [ExceptionLog#warn], once a minute for the same line, which says how often it was left out.
  public void warn(System.Logger log, String what, Throwable thrown) {
    log(log, Level.WARNING, what + ": " + ExceptionLog.words(thrown));
    log.log(Level.DEBUG, what, thrown);
  }

  /// As the other, once a minute for the same failure in all conversations; the line names one.
  ///
  /// @param named what has failed, with the place
  public void warn(System.Logger log, String what, String named, Throwable thrown) {
    String words = ": " + ExceptionLog.words(thrown);
    log(log, Level.WARNING, what + words, named + words);
    log.log(Level.DEBUG, named, thrown);
  }

  /// Logs a line, once a minute; it says how often it was left out.
  public void log(System.Logger log, Level level, String line) {
    log(log, level, line, line);
  }

  private void log(System.Logger log, Level level, String kind, String line) {
    int leftOut = leftOut(kind);
    if (leftOut >= 0) {
      log.log(level, leftOut == 0 ? line : line + " (" + leftOut + " more since the last line)");
    }
  }

  /// How often the line was left out, if it is due now; otherwise -1.
  private synchronized int leftOut(String line) {
    long now = nanos.getAsLong();
    Logged last = logged.remove(line);
    if (last != null && now - last.at < MINUTE) {
      Logged unused = logged.put(line, last.again());
      return -1;
    }
    Logged unused = logged.put(line, new Logged(now, 0));
    return last == null ? 0 : last.leftOut;
  }
}
