package dev.switchboard.handler;

import dev.switchboard.check.JsonCut;
import dev.switchboard.http.HttpAnswer;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.webhook.Webhook;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The handler of a webhook tool: the text of a 2xx is the answer, everything else a failure.
final class WebhookHandler implements ToolHandler {
  private final Json tool;
  private final Webhook webhook;

  WebhookHandler(String tool, Webhook webhook) {
    this(Json.of(tool), webhook);
  }

  private WebhookHandler(Json tool, Webhook webhook) {
    this.tool = tool;
    this.webhook = webhook;
  }

  /// The handler, whose failures may be retried or not.
  WebhookHandler triedOnce(boolean once) {
    return once == webhook.isTriedOnce() ? this : new WebhookHandler(tool, webhook.triedOnce(once));
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  /// True: each request carries the key.
  @Override
  public boolean knowsRepeats() {
    return true;
  }

  @Override
  public Json handle(ToolHandler.Arguments arguments, ToolContext context)
      throws InterruptedException {
    Webhook.Call call =
        new Webhook.Call(
            tool,
            arguments.json(),
            context.conversationId(),
            context.caller(),
            context.callee(),
            context.attempt(),
            context.idempotencyKey());
    Lines lines = new Lines(context);
    try {
      HttpAnswer answer = webhook.ask(call, context.time().now(), context::onCancel, lines::read);
      Json result = lines.result;
      return result == null ? answer(answer, context) : result;
    } catch (IOException e) {
      throw ToolException.ofRequest(e);
    }
  }

  private static Json answer(HttpAnswer answer, ToolContext context) {
    if (!answer.successful()) {
      throw ToolException.ofAnswer(answer, context.time().now());
    }
    if (answer.body().isBlank()) {
      return Json.EMPTY_OBJECT;
    }
    Json json = Json.text(answer.body());
    try {
      json.check();
      return answer.lines() ? last(json, answer.status()) : json;
    } catch (JsonException e) {
      // The tool has acted: another request would act twice.
      throw ToolException.last(
          ResultCode.FAILED, "HTTP %d: the answer %s".formatted(answer.status(), e.getMessage()));
    }
  }

  /// The lines of a streamed answer, until one is a result.
  private static final class Lines {
    private final ToolContext context;
    private @Nullable Json result;

    Lines(ToolContext context) {
      this.context = context;
    }

    /// Restarts the timeout, shows progress, and keeps a result as it came.
    void read(String text) {
      context.alive();
      if (result != null) {
        return;
      }
      Json line = Json.text(text);
      JsonNode progress = member(line, "progress");
      if (progress != null && progress.isString()) {
        context.progress(progress.stringValue());
      } else if (member(line, "result") != null && line.tree().size() == 1) {
        result = Json.text(JsonCut.object(text).values().getFirst());
      }
    }

    private static @Nullable JsonNode member(Json json, String name) {
      try {
        return json.isObject() ? json.tree().get(name) : null;
      } catch (JsonException e) {
        return null;
      }
    }
  }

  /// The answer of the last line.
  private static Json last(Json line, int status) {
    if (!line.isObject() || line.tree().size() != 1) {
      return line;
    }
    JsonNode progress = line.tree().get("progress");
    if (progress != null && progress.isString()) {
      // The tool may have acted: another request could act twice.
      throw ToolException.last(
          ResultCode.FAILED, "HTTP %d: the answer ended without a result".formatted(status));
    }
    return line;
  }
}
