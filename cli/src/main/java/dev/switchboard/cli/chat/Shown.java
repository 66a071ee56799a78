package dev.switchboard.cli.chat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jline.utils.WCWidth;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Formats untrusted texts in lines and columns, by their width on a screen.
public final class Shown {
  private static final int MOST_ARGUMENTS = 20_000;

  private Shown() {}

  /// The text on one line, with spaces for line ends and tabs.
  static String line(String text) {
    return InvisibleCharacters.shown(text.strip().replaceAll("\\s+", " "));
  }

  /// The complete arguments of a call on one line: unchanged, or, if they have several lines, as
  /// compact JSON.
  public static String arguments(ToolCall call) {
    String text = call.arguments().text().strip();
    boolean inLines = text.chars().anyMatch(c -> c < ' ');
    return InvisibleCharacters.line(inLines ? compact(call.arguments()) : text);
  }

  /// The call with its arguments for a person's consent; if these are too long to read, with the
  /// length of the omitted part.
  static String whole(ToolCall call) {
    String text = arguments(call);
    int more = text.length() - MOST_ARGUMENTS;
    return InvisibleCharacters.line(call.name())
        + " with "
        + (more <= 0
            ? text
            : text.substring(0, MOST_ARGUMENTS) + " ... and %d characters more".formatted(more));
  }

  private static String compact(Json arguments) {
    try {
      return Json.of(arguments.tree()).text();
    } catch (JsonException e) {
      return arguments.text();
    }
  }

  /// The text on one line, with at most that many columns.
  static String cut(String text, int most) {
    String line = line(text);
    return width(line) <= most ? line : begin(line, Math.max(0, most - 3)) + "...";
  }

  /// Why a person is asked, and until when, in the user's time zone.
  static String question(ConsentRequest request, ZonedDateTime now) {
    ZonedDateTime end = request.expiresAt().atZone(now.getZone());
    String form = end.toLocalDate().equals(now.toLocalDate()) ? "HH:mm" : "yyyy-MM-dd HH:mm";
    String until = DateTimeFormatter.ofPattern(form, Locale.ROOT).format(end);
    return "%s: %s Open until %s."
        .formatted(InvisibleCharacters.line(request.id()), line(request.reason()), until);
  }

  /// The line for an event of the agent, null if it is not shown: a retry of the model, a fallback,
  /// messages that are left out, or a request for another format of the reply.
  static @Nullable String notice(Event.AgentEvent event) {
    Json payload = event.payload();
    JsonNode json = (payload == null ? Json.EMPTY_OBJECT : payload).tree();
    return switch (event.event()) {
      case "model_retry" -> retry(json);
      case "model_fallback" ->
          "  %s is asked instead of %s (%s)"
              .formatted(
                  line(json.path("to").asString("")),
                  line(json.path("from").asString("")),
                  line(json.path("reason").asString("")));
      case "compacted" ->
          "  left out older messages: about %d tokens, now %d"
              .formatted(json.path("before").asLong(0), json.path("after").asLong(0));
      case "invalid_reply" ->
          "  asked for a reply of the right form (%d of 2): %s"
              .formatted(json.path("attempt").asInt(0), fault(json.path("faults").path(0)));
      default -> null;
    };
  }

  private static String fault(JsonNode fault) {
    String pointer = fault.path("pointer").asString("");
    return line(
        "%sexpected %s, found %s"
            .formatted(
                pointer.isEmpty() ? "" : pointer + ": ",
                fault.path("expected").asString(""),
                fault.path("found").asString("")));
  }

  private static String retry(JsonNode json) {
    return "  asked again in %d ms (attempt %d of %d)"
        .formatted(
            json.path("after_ms").asLong(0),
            json.path("attempt").asInt(0),
            json.path("of").asInt(0));
  }

  /// The line, cut to at most that many columns.
  static String fit(String line, int most) {
    return width(line) <= most ? line : begin(line, Math.max(0, most - 3)) + "...";
  }

  /// The number of columns of a line: none, one or two for each character.
  static int width(String line) {
    return line.codePoints().map(point -> Math.max(0, WCWidth.wcwidth(point))).sum();
  }

  private static String begin(String line, int most) {
    int end = 0;
    int left = most;
    while (end < line.length()) {
      int point = line.codePointAt(end);
      left -= Math.max(0, WCWidth.wcwidth(point));
      if (left < 0) {
        break;
      }
      end += Character.charCount(point);
    }
    return line.substring(0, end);
  }
}
