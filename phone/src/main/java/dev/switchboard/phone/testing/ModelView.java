package dev.switchboard.phone.testing;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a simulated model knows when it is asked for a response.
///
/// @param instructions of the response, or of the session where it has none of its own
/// @param lines of the conversation so far
/// @param request the `response` of the message that asked
/// @param aside whether it is spoken outside the conversation
public record ModelView(String instructions, List<Line> lines, Json request, boolean aside) {
  private static final Pattern QUOTED = Pattern.compile("\".+\"", Pattern.DOTALL);

  public ModelView {
    lines = List.copyOf(lines);
  }

  /// A line of a conversation.
  ///
  /// @param role `user`, `assistant`, `system`, `call` (the text is the tool's name and the
  ///   arguments) or `output`
  /// @param callId of a call or its output, null otherwise
  public record Line(String role, String text, @Nullable String callId) {}

  /// What was said last by that role, empty for nothing.
  public String last(String role) {
    return lines.reversed().stream()
        .filter(line -> line.role().equals(role))
        .map(Line::text)
        .findFirst()
        .orElse("");
  }

  /// The result of that call, null where there is none yet.
  public @Nullable String output(String callId) {
    return lines.stream()
        .filter(line -> line.role().equals("output") && callId.equals(line.callId()))
        .map(Line::text)
        .findFirst()
        .orElse(null);
  }

  /// The words that the instructions quote, all of them where they quote none: what is to be said
  /// word for word.
  public String quoted() {
    Matcher quoted = QUOTED.matcher(instructions);
    if (!quoted.find()) {
      return instructions;
    }
    try {
      return Json.text(quoted.group()).tree().stringValue();
    } catch (JsonException e) {
      return quoted.group().substring(1, quoted.group().length() - 1);
    }
  }
}
