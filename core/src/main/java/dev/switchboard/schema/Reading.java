package dev.switchboard.schema;

import dev.switchboard.json.Codec;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.JsonNode;

/// A text read whole for the slow pass: its tree, and what is wrong with it whatever the schema.
///
/// @param tree null when the text is no JSON
record Reading(@Nullable JsonNode tree, Faults faults) {
  static Reading of(String text) {
    Faults faults = new Faults();
    try (JsonParser parser = Codec.parser(text)) {
      if (parser.nextToken() == null) {
        return new Reading(null, broken("", "no JSON at all"));
      }
      try {
        JsonNode tree = new TreeBuilder(parser, faults).value();
        if (parser.nextToken() != null) {
          return new Reading(
              null,
              broken("", "something after the object" + place(parser.currentTokenLocation())));
        }
        return new Reading(tree, faults);
      } catch (JacksonException | Mismatch e) {
        return new Reading(null, broken(parser, e));
      }
    } catch (JacksonException e) {
      return new Reading(null, broken("", "broken JSON" + place(e.getLocation())));
    }
  }

  private static Faults broken(String pointer, String found) {
    Faults faults = new Faults();
    faults.add(new Fault(pointer, "a JSON object", found));
    return faults;
  }

  private static Faults broken(JsonParser parser, RuntimeException e) {
    TokenStreamLocation location =
        e instanceof JacksonException jackson ? jackson.getLocation() : null;
    if (e instanceof StreamConstraintsException) {
      Faults faults = new Faults();
      faults.add(limit(parser, String.valueOf(e.getMessage())));
      return faults;
    }
    boolean cut =
        e instanceof UnexpectedEndOfInputException
            || String.valueOf(e.getMessage()).contains("end-of-input");
    return broken("", (cut ? "truncated JSON" : "broken JSON") + place(location));
  }

  private static Fault limit(JsonParser parser, String message) {
    String pointer = parser.streamReadContext().pathAsPointer().toString();
    if (!message.contains("nesting")) {
      return new Fault(
          pointer,
          "a number of at most 1000 digits, a name of at most 50000 characters",
          "a longer one");
    }
    int end = pointer.indexOf('/', 1);
    String first = end < 0 ? pointer : pointer.substring(0, end);
    return new Fault(first, "at most " + Codec.MAX_DEPTH + " levels of nesting", "more");
  }

  private static String place(@Nullable TokenStreamLocation at) {
    return at == null || at.getLineNr() < 1
        ? ""
        : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
  }
}
