package dev.switchboard.cli;

import dev.switchboard.check.JsonCut;
import dev.switchboard.consent.Answer;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads an answer to a request for consent: `{"consent": id, "decision": "approve"}`.
final class ConsentText {
  private static final List<String> MEMBERS =
      List.of("consent", "decision", "for", "reason", "arguments", "by");

  private final JsonCut cut;
  private final JsonNode answer;

  private ConsentText(JsonCut cut, JsonNode answer) {
    this.cut = cut;
    this.answer = answer;
  }

  /// The answer in that text, a JSON object with a member `consent`.
  static ExecLine read(String text, JsonCut cut) {
    try {
      return new ConsentText(cut, Json.text(text).tree()).line();
    } catch (JsonException e) {
      return new ExecLine.Bad("the answer " + e.getMessage());
    } catch (IllegalArgumentException e) {
      return new ExecLine.Bad(String.valueOf(e.getMessage()));
    }
  }

  private ExecLine line() {
    for (String member : answer.propertyNames()) {
      if (!MEMBERS.contains(member)) {
        throw new IllegalArgumentException(
            "an answer has no member '"
                + member
                + "', only '"
                + String.join("', '", MEMBERS)
                + "'");
      }
    }
    String id = text("consent");
    String decision = text("decision");
    if (id == null) {
      throw new IllegalArgumentException("'consent' must be the id of a request, a string");
    }
    String by = text("by");
    Answer read = answer(decision == null ? "" : decision);
    return new ExecLine.Consent(id, read.by(by == null ? ExecRun.EXEC : by));
  }

  private Answer answer(String decision) {
    boolean lasts = answer.has("for");
    return switch (decision) {
      case "approve" -> edited(lasts ? Answer.approveFor(length()) : Answer.approveOnce());
      case "approve_always" -> {
        forbid(lasts, "'for' goes with \"approve\"; \"approve_always\" has no end");
        yield edited(Answer.approveAlways());
      }
      case "deny" -> {
        forbid(lasts || answer.has("arguments"), "\"deny\" takes only a 'reason'");
        String reason = text("reason");
        yield Answer.deny(reason == null ? "" : reason);
      }
      default ->
          throw new IllegalArgumentException(
              "'decision' must be \"approve\", \"approve_always\" or \"deny\"");
    };
  }

  private static void forbid(boolean wrong, String why) {
    if (wrong) {
      throw new IllegalArgumentException(why);
    }
  }

  private Duration length() {
    JsonNode value = answer.path("for");
    Duration length = Durations.parse(value.asString());
    if (length == null || !length.isPositive()) {
      throw new IllegalArgumentException("'for' must be " + Durations.FORMS + ", not " + value);
    }
    return length;
  }

  /// The answer with the arguments of the line, unchanged.
  private Answer edited(Answer.Approved approved) {
    int index = cut.names().indexOf("arguments");
    return index < 0 ? approved : approved.with(Json.text(cut.values().get(index)));
  }

  private @Nullable String text(String member) {
    JsonNode value = answer.get(member);
    if (value == null) {
      return null;
    }
    if (!value.isString()) {
      throw new IllegalArgumentException("'" + member + "' must be a string");
    }
    return value.stringValue();
  }
}
