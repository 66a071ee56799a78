package dev.switchboard.phone.testing;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The input of a simulated model for a response.
///
/// @param instructions of the response, or else of the session
/// @param lines of the conversation so far
/// @param request the `response` of the requesting message
/// @param aside whether it is outside the conversation
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

  /// The last line of that role, empty for none.
  public String last(String role) {
    return lines.reversed().stream()
        .filter(line -> line.role().equals(role))
        .map(Line::text)
        .findFirst()
        .orElse("");
  }

  /// The output of that call, null if there is none yet.
  public @Nullable String output(String callId) {
    return lines.stream()
        .filter(line -> line.role().equals("output") && callId.equals(line.callId()))
        .map(Line::text)
        .findFirst()
        .orElse(null);
  }

  /// The words quoted in the instructions, to be spoken verbatim; all of them if none are quoted.
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
