package dev.switchboard.guard;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Values that must not leave this process.
public final class Secrets {
  private static final Pattern NAMES =
      Pattern.compile("(?i)key|token|secret|passw|credential|private|auth");

  private Secrets() {}

  /// Those that are known, and those of the environment whose names say that they are.
  public static List<String> with(List<String> known) {
    return of(known, System.getenv());
  }

  static List<String> of(List<String> known, Map<String, String> environment) {
    List<String> all = new ArrayList<>(known);
    environment.forEach((name, value) -> {
      if (NAMES.matcher(name).find()) {
        all.add(value);
      }
    });
    return all;
  }
}
