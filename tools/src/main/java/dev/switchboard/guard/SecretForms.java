package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail.Span;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The forms in which secret values may occur in a text: unchanged, reversed, percent-encoded, as
/// entities, in Base64 and in hexadecimal digits, each with any characters between its letters.
///
/// @param exact values with too few letters and digits, found only unchanged
/// @param compact forms of all others
/// @param base64 compact forms in Base64
record SecretForms(List<String> exact, List<String> compact, List<String> base64)
    implements Streamed {
  /// The minimum length; shorter values may occur by chance.
  private static final int LEAST = 8;

  /// The number of characters of Base64 that may also contain bits of the neighboring bytes.
  private static final int GROUP = 4;

  static SecretForms of(List<String> values) {
    Set<String> exact = new LinkedHashSet<>();
    Set<String> compact = new LinkedHashSet<>();
    Set<String> base64 = new LinkedHashSet<>();
    for (String value : values) {
      String plain = value.strip();
      if (plain.length() >= LEAST && Compact.of(plain).length() < LEAST) {
        exact.add(plain);
      } else if (plain.length() >= LEAST) {
        forms(plain).forEach(form -> compact.add(Compact.of(form)));
        inBase64(plain).forEach(form -> base64.add(Compact.of(form)));
      }
    }
    compact.removeIf(form -> form.length() < LEAST);
    base64.removeIf(form -> form.length() < LEAST);
    return new SecretForms(List.copyOf(exact), List.copyOf(compact), List.copyOf(base64));
  }

  private static List<String> forms(String value) {
    List<String> forms = new ArrayList<>();
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
    forms.add(value);
    forms.add(new StringBuilder(value).reverse().toString());
    forms.add(encoded);
    forms.add(encoded.replace("+", "%20"));
    forms.add(value.replace("\n", "\\n").replace("\r", "\\r"));
    forms.add(value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    forms.add(HexFormat.of().formatHex(bytes));
    forms.add(inPercent(bytes));
    return forms;
  }

  /// The value with all but letters and digits percent-encoded.
  private static String inPercent(byte[] bytes) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : bytes) {
      boolean isPlain = each > 0 && Character.isLetterOrDigit(each);
      encoded.append(isPlain ? String.valueOf((char) each) : "%02x".formatted(each));
    }
    return encoded.toString();
  }

  /// The part of the value's Base64 that does not depend on its neighbours: three variants, by the
  /// position of its first byte in a group of three.
  private static List<String> inBase64(String value) {
    List<String> forms = new ArrayList<>();
    for (int before = 0; before < 3; before++) {
      byte[] bytes = ("\0".repeat(before) + value).getBytes(StandardCharsets.UTF_8);
      int from = before == 0 ? 0 : before + 1;
      int to = bytes.length * 8 / 6;
      forms.add(Base64.getEncoder().withoutPadding().encodeToString(bytes).substring(from, to));
    }
    return forms;
  }

  /// The longest form.
  int longest() {
    return Stream.of(exact, compact, base64)
        .flatMap(List::stream)
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }

  @Override
  public int settled(String text) {
    int last = Streamed.lastVisible(text);
    // A mark that follows may make another letter of the last one.
    return Math.min(open(text), open(text.substring(0, last)));
  }

  /// Where a secret begins of which the text ends with a part.
  private int open(String text) {
    int open = text.length();
    for (String value : exact) {
      open = Math.min(open, text.length() - begun(value, text));
    }
    if (!compact.isEmpty()) {
      Compact letters = new Compact(new Folded(text));
      for (String form : compact) {
        open = Math.min(open, letters.placeBeforeEnd(begun(form, letters.text()), 0));
      }
      for (String form : base64) {
        open = Math.min(open, letters.placeBeforeEnd(begun(form, letters.text()), GROUP));
      }
    }
    return open;
  }

  /// How many characters at the end are the beginning of the form.
  private static int begun(String form, String text) {
    for (int count = Math.min(form.length() - 1, text.length()); count > 0; count--) {
      if (text.regionMatches(text.length() - count, form, 0, count)) {
        return count;
      }
    }
    return 0;
  }

  @Override
  public List<Span> find(String text) {
    List<Span> found = new ArrayList<>();
    for (String value : exact) {
      for (int at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length())) {
        found.add(new Span(at, at + value.length()));
      }
    }
    if (!compact.isEmpty()) {
      Compact letters = new Compact(new Folded(text));
      compact.forEach(form -> found.addAll(letters.find(form, 0)));
      base64.forEach(form -> found.addAll(letters.find(form, GROUP)));
    }
    return found;
  }
}
