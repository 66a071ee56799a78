package dev.switchboard.check;

import dev.switchboard.json.Codec;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.JsonNode;

/// A text read for the slow pass: its tree, and its faults by any schema.
///
/// @param tree null if the text is not JSON
record Reading(@Nullable JsonNode tree, Faults faults) {
  static Reading of(String text) {
    Faults faults = new Faults();
    try (JsonParser parser = Codec.partParser(text)) {
      if (parser.nextToken() == null) {
        return new Reading(null, broken("no JSON at all"));
      }
      try {
        JsonNode tree = new TreeBuilder(parser, faults, null).value();
        if (parser.nextToken() != null) {
          return new Reading(
              null, broken("something after the object" + place(parser.currentTokenLocation())));
        }
        return new Reading(tree, faults);
      } catch (JacksonException | Mismatch e) {
        return new Reading(null, broken(parser, e));
      }
    } catch (JacksonException e) {
      return new Reading(null, broken("broken JSON" + place(e.getLocation())));
    }
  }

  private static Faults broken(String found) {
    Faults faults = new Faults();
    faults.add(Place.ROOT, "a JSON object", found);
    return faults;
  }

  private static Faults broken(JsonParser parser, RuntimeException e) {
    TokenStreamLocation location =
        e instanceof JacksonException jackson ? jackson.getLocation() : null;
    if (e instanceof StreamConstraintsException) {
      return limit(parser, String.valueOf(e.getMessage()));
    }
    boolean cut =
        e instanceof UnexpectedEndOfInputException
            || String.valueOf(e.getMessage()).contains("end-of-input");
    return broken((cut ? "truncated JSON" : "broken JSON") + place(location));
  }

  private static Faults limit(JsonParser parser, String message) {
    Faults faults = new Faults();
    Place at = Place.of(parser.streamReadContext());
    if (message.contains("nesting")) {
      faults.add(at.first(), "at most " + Codec.MAX_PART_DEPTH + " levels of nesting", "more");
    } else {
      faults.add(
          at,
          "a number of at most 1000 digits, a name of at most 50000 characters",
          "a longer one");
    }
    return faults;
  }

  private static String place(@Nullable TokenStreamLocation at) {
    return at == null || at.getLineNr() < 1
        ? ""
        : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
  }
}
