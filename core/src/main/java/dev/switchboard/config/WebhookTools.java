package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;

/// The tools of one file, answered by their webhooks through one client.
final class WebhookTools {
  private final GuardedHttp http;

  WebhookTools(UrlGuard guard) {
    http = GuardedHttp.of(guard);
  }

  Tool make(PlannedTool planned) {
    return planned
        .builder()
        .answeredBy((arguments, context) -> {
          throw ToolException.permanent("webhooks are not built yet: " + http);
        });
  }
}
