package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The keys that a caller has pressed, which may be a PIN or a card number. A call's record shows
/// how many there were, also where a tool's arguments, its result or someone's words repeat them.
///
/// For the actor's thread.
final class DtmfRedactor {
  private static final int LEAST = 3; // keys of a secret; fewer choose from a menu
  private static final int MOST = 50; // latest series
  private static final Pattern DIGITS = Pattern.compile("[0-9]{" + LEAST + ",}");
  // Words and data; other members are our own.
  private static final Set<String> CONTENT = Set.of("arguments", "result", "heard");

  private final boolean noted;
  private final Deque<Series> latest = new ArrayDeque<>();

  /// @param noted whether records show the keys
  DtmfRedactor(boolean noted) {
    this.noted = noted;
  }

  private record Series(Pattern spelled, String shown) {
    static Series of(String digits) {
      // Written together, or in groups.
      return new Series(
          Pattern.compile(String.join("[\\s.,/_-]{0,3}", digits.split(""))), count(digits));
    }
  }

  private static String count(String keys) {
    return keys.length() == 1 ? "1 key" : keys.length() + " keys";
  }

  /// Keys that were pressed, as a line of the transcript.
  String line(String keys) {
    DIGITS.matcher(keys).results().forEach(run -> add(run.group()));
    return "[DTMF: " + (noted ? keys : count(keys)) + "]";
  }

  private void add(String digits) {
    latest.addFirst(Series.of(digits));
    if (latest.size() > MOST) {
      latest.removeLast();
    }
  }

  /// The text without these keys.
  String redacted(String text) {
    String hidden = text;
    if (!noted) {
      for (Series series : latest) {
        hidden = series.spelled.matcher(hidden).replaceAll("[" + series.shown + "]");
      }
    }
    return hidden;
  }

  /// The details of an event without these keys.
  ObjectNode redacted(ObjectNode details) {
    if (noted || latest.isEmpty()) {
      return details;
    }
    ObjectNode hidden = details.deepCopy();
    for (String member : CONTENT) {
      if (hidden.has(member)) {
        hidden.set(member, redacted(hidden.get(member)));
      }
    }
    return hidden;
  }

  private JsonNode redacted(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> {
        ObjectNode out = Codec.object();
        object
            .properties()
            .forEach(member -> out.set(redacted(member.getKey()), redacted(member.getValue())));
        yield out;
      }
      case ArrayNode list -> {
        ArrayNode out = Codec.object().arrayNode();
        list.forEach(element -> out.add(redacted(element)));
        yield out;
      }
      default -> {
        String text = value.asString("");
        String hidden = redacted(text);
        yield hidden.equals(text) ? value : Codec.object().stringNode(hidden);
      }
    };
  }
}
