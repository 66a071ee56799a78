package dev.switchboard.cli;

import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Agents' files to run commands on.
final class AgentToml {
  private AgentToml() {}

  /// A file with a tool `check_availability` that needs a date and `list_tables` that needs
  /// nothing, both answered by that webhook, and `shell_open`, which needs consent.
  static String of(Path folder, StubWebhook webhook) {
    return write(
        folder,
        """
        [agent]
        defaults = { retry = { max_retries = 0 } }

        [[tools]]
        name = "check_availability"
        description = "Check if a table\\n is free."
        webhook_url = "%1$s"
        strict = true
        [tools.parameters]
        type = "object"
        properties = { date = { type = "string", format = "date" } }
        required = ["date"]
        additionalProperties = false

        [[tools]]
        name = "list_tables"
        webhook_url = "%1$s"
        reassurance = { message = "One moment...", after_ms = 0 }

        [[tools]]
        name = "shell_open"
        webhook_url = "%1$s"

        [network]
        allow = ["%2$s"]
        """
            .formatted(webhook.url(), webhook.hostAndPort()));
  }

  static String write(Path folder, String toml) {
    try {
      return Files.writeString(folder.resolve("agent.toml"), toml).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
