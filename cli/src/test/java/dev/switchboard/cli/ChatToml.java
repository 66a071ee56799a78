package dev.switchboard.cli;

import dev.switchboard.testing.StubWebhook;
import java.nio.file.Path;

/// The file of an agent to talk with.
final class ChatToml {
  private ChatToml() {}

  /// A file with the tools `look`, which is read only, and `pay`, which needs consent, both
  /// answered by that webhook.
  ///
  /// @param agent further keys of the agent
  /// @param more further tables
  static String of(Path folder, StubWebhook webhook, String agent, String more) {
    return AgentToml.write(
        folder,
        """
        [agent]
        %3$s
        first_message = "Hi!"
        defaults = { retry = { max_retries = 0 } }

        [[agent.tool_rules]]
        tool_name = "pay"
        rule_type = "RequiresConsent"

        [[tools]]
        name = "look"
        description = "Looks."
        mode = "read"
        webhook_url = "%1$s"

        [[tools]]
        name = "pay"
        mode = "external"
        description = "Pays."
        webhook_url = "%1$s"

        [network]
        allow = ["%2$s"]

        %4$s
        """
            .formatted(webhook.url(), webhook.hostAndPort(), agent, more));
  }
}
