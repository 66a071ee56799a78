package dev.switchboard.guard;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Values that must not leave this process.
public final class Secrets {
  private static final Pattern NAMES =
      Pattern.compile("(?i)key|token|secret|passw|credential|private|auth(?:[^o]|$|ori|oken)");

  /// The password in a URL, as in `postgres://app:password@db`.
  private static final Pattern ADDRESS = Pattern.compile("://[^:/@\\s]*:([^/@\\s]+)@");

  private Secrets() {}

  /// The known values, those of environment variables whose names indicate a secret, and passwords
  /// in URLs of the environment.
  public static List<String> with(List<String> known) {
    return of(known, System.getenv());
  }

  /// Whether a value of that name is one, as its name or a password in its URL indicates.
  public static boolean isNamed(String name, String value) {
    return NAMES.matcher(name).find() || ADDRESS.matcher(value).find();
  }

  static List<String> of(List<String> known, Map<String, String> environment) {
    List<String> all = new ArrayList<>(known);
    environment.forEach((name, value) -> {
      if (NAMES.matcher(name).find()) {
        all.add(value);
      }
      Matcher address = ADDRESS.matcher(value);
      while (address.find()) {
        all.add(address.group(1));
      }
    });
    return all;
  }
}
