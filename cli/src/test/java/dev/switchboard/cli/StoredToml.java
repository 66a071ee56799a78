package dev.switchboard.cli;

import dev.switchboard.testing.StubWebhook;
import java.nio.file.Path;

/// The file of an agent that keeps its conversations.
final class StoredToml {
  private StoredToml() {}

  /// A file with the storage `agent.db` and tools answered by that webhook: `pay`, which needs
  /// consent for each `to`; `search`, at most twice in a conversation; `report`, every ten minutes.
  ///
  /// @param limits keys of the agent's limits
  static String of(Path folder, StubWebhook webhook, String limits) {
    return AgentToml.write(
        folder,
        """
        [agent]
        defaults = { retry = { max_retries = 0 } }
        limits = { %3$s }

        [[agent.tool_rules]]
        tool_name = "pay"
        rule_type = { RequiresConsent = { bind = ["to"], scope = "payments" } }

        [[agent.tool_rules]]
        tool_name = "search"
        rule_type = { MaxCalls = 2 }

        [[agent.tool_rules]]
        tool_name = "report"
        rule_type = { Cooldown = "10m" }

        [[tools]]
        name = "pay"
        mode = "external"
        webhook_url = "%1$s"
        [tools.parameters]
        type = "object"
        properties = { amount = { type = "integer" }, to = { type = "string" } }

        [[tools]]
        name = "search"
        webhook_url = "%1$s"

        [[tools]]
        name = "report"
        webhook_url = "%1$s"

        [network]
        allow = ["%2$s"]

        [storage]
        url = "sqlite:agent.db"
        """
            .formatted(webhook.url(), webhook.hostAndPort(), limits));
  }
}
