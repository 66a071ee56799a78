package dev.switchboard.guard;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The forms in which a value that must not leave may stand in a text.
final class SecretForms {
  /// Shorter values are words by chance.
  private static final int LEAST = 8;

  private SecretForms() {}

  static List<String> of(List<String> values) {
    Set<String> forms = new LinkedHashSet<>();
    for (String value : values) {
      if (value.length() >= LEAST) {
        forms.add(value);
        forms.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
        forms.addAll(inBase64(value));
      }
    }
    return List.copyOf(forms);
  }

  /// The part of the value's Base64 that is the same whatever stands before and behind it: three
  /// ways, by the place of its first byte in a group of three.
  private static List<String> inBase64(String value) {
    List<String> forms = new ArrayList<>();
    for (int before = 0; before < 3; before++) {
      byte[] bytes = ("\0".repeat(before) + value).getBytes(StandardCharsets.UTF_8);
      int from = before == 0 ? 0 : before + 1;
      int to = bytes.length * 8 / 6;
      Stream.of(Base64.getEncoder(), Base64.getUrlEncoder())
          .map(encoder -> encoder.withoutPadding().encodeToString(bytes).substring(from, to))
          .filter(text -> text.length() >= LEAST)
          .forEach(forms::add);
    }
    return forms;
  }
}
