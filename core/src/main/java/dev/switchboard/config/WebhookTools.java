package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import dev.switchboard.webhook.UrlGuard;
import java.net.URI;

/// The tools of one file, answered by their webhooks through one client.
final class WebhookTools {
  private final GuardedHttp http;

  WebhookTools(UrlGuard guard) {
    http = GuardedHttp.of(guard);
  }

  /// The tool that was planned.
  ///
  /// @throws IllegalStateException when it lacks a URL, which its reading should have reported
  Tool make(PlannedTool planned) {
    URI url = planned.url();
    if (url == null) {
      throw new IllegalStateException("tool '" + planned.name() + "' has no URL");
    }
    Tool.DynamicBuilder builder = planned.builder().network(http);
    planned.headers().forEach(builder::header);
    Integer responseLimit = planned.responseLimit();
    if (responseLimit != null) {
      builder.responseLimit(responseLimit);
    }
    Secret secret = planned.secret();
    return secret == null ? builder.webhook(url) : builder.webhook(url, secret);
  }
}
