package dev.switchboard.spec;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The `server` of a vector, such as `200 body of 65537 bytes`, played by a stub.
final class ServerScript {
  private static final Pattern SIZE = Pattern.compile("(\\d+) body of (\\d+)\\+? bytes.*");

  private ServerScript() {}

  static void play(JsonNode script, StubWebhook server) {
    if (script.isArray()) {
      script.forEach(line -> server.answer(answer(line.stringValue())));
    } else {
      server.answer(answer(script.stringValue()));
    }
  }

  private static StubAnswer answer(String line) {
    Matcher size = SIZE.matcher(line);
    if (size.matches()) {
      int bytes = Integer.parseInt(size.group(2));
      return StubAnswer.of(Integer.parseInt(size.group(1)), "\"" + "x".repeat(bytes - 2) + "\"");
    }
    return switch (line) {
      case "200 chunked, endless body" -> StubAnswer.endless();
      case "200 header content-length: 2097152" ->
          StubAnswer.of(200, "\"" + "x".repeat(2097150) + "\"");
      case "200 text/html 'hello'" -> StubAnswer.of(200, "hello").contentType("text/html");
      case "204 (no body)" -> StubAnswer.status(204);
      case "always 500" -> StubAnswer.of(500, "");
      default -> plain(line);
    };
  }

  private static StubAnswer plain(String line) {
    int space = line.indexOf(' ');
    return space < 0
        ? StubAnswer.of(Integer.parseInt(line), "")
        : StubAnswer.of(Integer.parseInt(line.substring(0, space)), line.substring(space + 1));
  }
}
