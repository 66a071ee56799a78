package dev.switchboard.attempt;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.ToolResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Converts what a handler returned into a result, with the text that the model reads.
public final class ResultConverter {
  /// Replaces an empty text, which models reject.
  static final String EMPTY = "(empty)";

  private static final String LEAST_FAILURE = "{\"error\":\"…\"}";

  private ResultConverter() {}

  /// The result of that call with this answer, its text cut to `limit` characters.
  ///
  /// @throws JsonException when it cannot be written as JSON
  public static ToolResult of(@Nullable Object value, int limit, String callId) {
    ToolResult.Builder result =
        switch (value) {
          case ToolResult own -> readable(sound(own), limit);
          case CharSequence text -> read(ToolResult.builder(true), text.toString(), limit);
          case null, default -> json(Json.ofForeign(value), limit);
        };
    return shallow(result.callId(callId).build());
  }

  /// The result without what nests too deep for events and stored lines; the text still has it.
  private static ToolResult shallow(ToolResult result) {
    Json data = result.data();
    boolean deepData = data != null && data.nestsTooDeep();
    if (!deepData && !anyNestsTooDeep(result.more())) {
      return result;
    }
    Map<String, Json> more = new LinkedHashMap<>(result.more());
    more.values().removeIf(Json::nestsTooDeep);
    return result.toBuilder().data(deepData ? null : data).more(more).build();
  }

  private static boolean anyNestsTooDeep(Map<String, Json> members) {
    return !members.isEmpty() && members.values().stream().anyMatch(Json::nestsTooDeep);
  }

  /// The handler's own result, if it can be written completely; half a surrogate pair in it is
  /// replaced.
  private static ToolResult sound(ToolResult own) {
    ToolResult paired = isPaired(own) ? own : repaired(own);
    Json data = paired.data();
    if (data != null) {
      data.check();
      if (!data.isObject()) {
        throw new JsonException("the data of a result must be a JSON object", null);
      }
    }
    paired.more().values().forEach(Json::check);
    return paired;
  }

  /// Whether all surrogates are paired, except in the text, which is repaired elsewhere.
  private static boolean isPaired(ToolResult own) {
    return isPaired(own.error())
        && isPaired(own.message())
        && isPaired(own.nextAction())
        && (own.data() == null || own.data().paired())
        && own.more().values().stream().allMatch(Json::paired)
        && own.more().keySet().stream().allMatch(Surrogates::paired);
  }

  private static boolean isPaired(@Nullable String text) {
    return text == null || Surrogates.paired(text);
  }

  private static ToolResult repaired(ToolResult own) {
    Map<String, Json> more = new LinkedHashMap<>();
    own.more().forEach((name, value) -> more.put(Surrogates.repaired(name), value.repaired()));
    ToolResult.Builder result = own.toBuilder().more(more);
    if (own.error() != null) {
      result.error(Surrogates.repaired(own.error()));
    }
    if (own.message() != null) {
      result.message(Surrogates.repaired(own.message()));
    }
    if (own.nextAction() != null) {
      result.nextAction(Surrogates.repaired(own.nextAction()));
    }
    return (own.data() == null ? result : result.data(own.data().repaired())).build();
  }

  private static ToolResult.Builder json(Json value, int limit) {
    Json json = value.repaired();
    json.check();
    // Most answers are not results, and need no tree.
    ToolResult own = json.mayHaveMember("success") ? ToolResult.recognise(json) : null;
    if (own != null) {
      boolean fits = own.success() || json.text().length() <= limit;
      boolean asItCame = own.success() || own.error() != null || own.text() != null;
      return asItCame && fits ? read(named(own), json.text(), limit) : readable(own, limit);
    }
    ToolResult.Builder result = ToolResult.builder(true);
    if (json.isObject()) {
      result.data(json);
    }
    return fit(result, json.text(), limit);
  }

  /// The result of that call. A result of the runtime gets its text here.
  public static ToolResult finish(ToolResult result, String callId) {
    if (result.text() == null) {
      return readable(result, Integer.MAX_VALUE).callId(callId).build();
    }
    return callId.equals(result.callId()) ? result : result.toBuilder().callId(callId).build();
  }

  /// The result with a text: its JSON if it has none, cut to the limit. A failure gets an error.
  private static ToolResult.Builder readable(ToolResult result, int limit) {
    if (result.text() != null && result.success()) {
      return read(result.toBuilder(), result.text(), limit);
    }
    ToolResult whole = named(result).build();
    String text = whole.text() == null ? words(whole) : whole.text();
    return text.length() > limit && !whole.success()
        ? whole.toBuilder().text(cutFailure(whole, text, limit)).truncated(true)
        : read(whole.toBuilder(), text, limit);
  }

  /// The failure as JSON, cut inside its error: an object, however small the limit. A short error
  /// is followed by the beginning of the answer.
  private static String cutFailure(ToolResult failure, String answer, int limit) {
    ToolResult.Builder brief = ToolResult.builder(false);
    if (failure.fallback() != null) {
      brief.fallback(failure.fallback());
    }
    String error = String.valueOf(failure.error());
    String words = Surrogates.repaired(error.length() < limit / 2 ? error + ": " + answer : error);
    int room = limit - brief.error("").build().json().text().length();
    while (room > 0) {
      String text = brief.error(cut(words, room)).build().json().text();
      if (text.length() <= limit) {
        return text;
      }
      // Escapes make it longer.
      room -= Math.min(text.length() - limit, (room + 1) / 2);
    }
    return LEAST_FAILURE;
  }

  /// The result; a failure without an error gets a general one.
  private static ToolResult.Builder named(ToolResult result) {
    boolean silent = !result.success() && result.error() == null;
    return silent ? result.toBuilder().error(reason(result)) : result.toBuilder();
  }

  /// The result as JSON, without the faults, which the error names.
  private static String words(ToolResult result) {
    ToolResult brief =
        result.faults().isEmpty() ? result : result.toBuilder().faults(List.of()).build();
    return brief.json().text();
  }

  private static String reason(ToolResult result) {
    return result.message() == null ? "the tool reported a failure" : result.message();
  }

  private static ToolResult.Builder read(ToolResult.Builder result, String text, int limit) {
    return fit(result, Surrogates.repaired(text), limit);
  }

  private static ToolResult.Builder fit(ToolResult.Builder result, String text, int limit) {
    String whole = text.isEmpty() ? EMPTY : text;
    return whole.length() <= limit
        ? result.text(whole)
        : result.text(cut(whole, limit)).truncated(true);
  }

  /// The beginning of the text and a note of its full length, `limit` characters in all. If the
  /// limit is too small for a note, an ellipsis.
  public static String cut(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    String note = "\n[cut here, of %d characters]".formatted(text.length());
    if (note.length() > limit / 2) {
      return head(text, limit - 1) + '…';
    }
    return head(text, limit - note.length()) + note;
  }

  private static String head(String text, int length) {
    boolean splitsPair = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, splitsPair ? length - 1 : length);
  }
}
