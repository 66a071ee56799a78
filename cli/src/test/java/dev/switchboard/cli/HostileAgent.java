package dev.switchboard.cli;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.text.InvisibleCharacters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file of an agent whose texts are all hostile.
final class HostileAgent {
  private HostileAgent() {}

  /// Writes the file, which asks that model and calls that webhook; returns its path.
  static String write(Path folder, StubWebhook webhook, StubModel model) throws IOException {
    String hostile = Json.of(HostileTextTest.HOSTILE).text();
    String text =
        """
        [agent]
        name = "Desk"
        tools = ["pay", "look", "block", "recall", "search"]
        %3$s
        system_prompt = %4$s
        first_message = %4$s
        defaults = { retry = { max_retries = 0 } }

        [[agent.tool_rules]]
        tool_name = "pay"
        rule_type = { RequiresConsent = { scope = %4$s } }
        metadata = { why = %4$s }

        [agent.memory.guest]
        description = %4$s
        content = %4$s
        char_limit = 400

        [[tools]]
        name = "pay"
        mode = "external"
        description = %4$s
        webhook_url = "%1$s"

        [[tools]]
        name = "look"
        description = %4$s
        webhook_url = "%1$s"

        [network]
        allow = ["%2$s"]

        [storage]
        url = "sqlite:desk.db"
        """
            .formatted(webhook.url(), webhook.hostAndPort(), model.toml(), tomlString(hostile));
    Path file = folder.resolve("agent.toml");
    return Files.writeString(file, text).toString();
  }

  /// TOML forbids some characters that JSON allows as they are.
  private static String tomlString(String json) {
    StringBuilder out = new StringBuilder();
    json.codePoints()
        .forEach(point -> {
          if (InvisibleCharacters.is(point)) {
            out.append("\\U%08X".formatted(point));
          } else {
            out.appendCodePoint(point);
          }
        });
    return out.toString();
  }
}
