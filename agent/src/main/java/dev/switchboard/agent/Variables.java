package dev.switchboard.agent;

import dev.switchboard.json.Json;
import dev.switchboard.text.Placeholders;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Texts for the placeholders of a conversation's prompt, `{name}`, and a paragraph that its host
/// adds. The texts may come from outside, so they are made harmless first: on one line, limited in
/// length, under names that are words.
final class Variables {
  /// The most characters of a value.
  static final int MOST_CHARACTERS = 500;

  // Separators of lines and paragraphs are not control characters in Unicode.
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

  private final Map<String, String> values = new LinkedHashMap<>();
  private final String paragraph;

  Variables(Map<String, String> given) {
    this(given, "");
  }

  private Variables(Map<String, String> given, String paragraph) {
    this.paragraph = paragraph;
    given.forEach((name, value) -> {
      if (Placeholders.faultOfName(name) == null) {
        values.put(name, harmless(value));
      }
    });
  }

  private static String harmless(String value) {
    String line = UNSEEN.matcher(value).replaceAll("");
    if (line.length() <= MOST_CHARACTERS) {
      return line;
    }
    boolean splitsPair = Character.isHighSurrogate(line.charAt(MOST_CHARACTERS - 1));
    return line.substring(0, splitsPair ? MOST_CHARACTERS - 1 : MOST_CHARACTERS);
  }

  /// These variables, replaced by the others of the same name.
  Variables with(Map<String, String> others) {
    if (others.isEmpty()) {
      return this;
    }
    Map<String, String> all = new LinkedHashMap<>(values);
    all.putAll(new Variables(others).values);
    return new Variables(all, paragraph);
  }

  /// These variables, with another paragraph of the host.
  Variables with(String hostParagraph) {
    return hostParagraph.equals(paragraph) ? this : new Variables(values, hostParagraph);
  }

  /// What the host adds to the prompt, empty for nothing.
  String paragraph() {
    return paragraph;
  }

  Map<String, String> values() {
    return values;
  }

  /// The text with its placeholders filled with members of that object, or nothing.
  static String filled(String text, Json object) {
    Map<String, String> values = new LinkedHashMap<>();
    Placeholders.in(text).forEach(name -> values.put(name, ""));
    for (var member : object.tree().properties()) {
      values.put(member.getKey(), member.getValue().asString(""));
    }
    return new Variables(values).fill(text);
  }

  /// The text with its placeholders filled, in one pass: placeholders in values are not filled. A
  /// placeholder of no known name stays.
  String fill(String text) {
    return Placeholders.fill(text, values::get);
  }
}
