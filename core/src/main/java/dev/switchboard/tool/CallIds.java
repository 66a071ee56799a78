package dev.switchboard.tool;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Ids of ours: a part drawn once for the process, so that two processes differ, and a count.
final class CallIds {
  private static final String PROCESS = Long.toString(new SecureRandom().nextLong() >>> 4, 36);
  private static final AtomicLong NEXT = new AtomicLong();

  private CallIds() {}

  static String next(String kind) {
    return kind + '_' + PROCESS + '_' + NEXT.incrementAndGet();
  }
}
