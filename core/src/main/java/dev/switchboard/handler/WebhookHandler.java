package dev.switchboard.handler;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.ResponseTooLargeException;
import dev.switchboard.http.RetryAfter;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.webhook.UrlGuard;
import dev.switchboard.webhook.Webhook;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The handler of a tool that is answered by a webhook: the text of a 2xx is the answer, everything
/// else is a failure.
final class WebhookHandler implements ToolHandler {
  private static final int BODY_SHOWN = 500;

  private final Json tool;
  private final Webhook webhook;

  WebhookHandler(String tool, Webhook webhook) {
    this(Json.of(tool), webhook);
  }

  private WebhookHandler(Json tool, Webhook webhook) {
    this.tool = tool;
    this.webhook = webhook;
  }

  /// The given failure as one that may be tried again, or may not.
  WebhookHandler triedOnce(boolean once) {
    return once == webhook.isTriedOnce() ? this : new WebhookHandler(tool, webhook.triedOnce(once));
  }

  @Override
  public boolean endsWhenCancelled() {
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
    try {
      return answer(
          webhook.ask(call, context.time().now(), context::onCancel, line -> heard(line, context)),
          context);
    } catch (UrlGuard.BlockedException e) {
      throw ToolException.last(ResultCode.URL_BLOCKED, "URL blocked: " + e.reason());
    } catch (ResponseTooLargeException e) {
      throw ToolException.last(ResultCode.RESPONSE_TOO_LARGE, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      throw ToolException.trouble(words(e), e);
    }
  }

  private static Json answer(HttpAnswer answer, ToolContext context) {
    if (!answer.successful()) {
      throw failure(answer, context);
    }
    if (answer.body().isBlank()) {
      return Json.EMPTY_OBJECT;
    }
    Json json = Json.text(answer.body());
    try {
      json.check();
      return answer.lines() ? last(json, answer.status()) : json;
    } catch (JsonException e) {
      // The deed is done: asking again would do it twice.
      throw ToolException.last(
          ResultCode.FAILED, "HTTP %d: the answer %s".formatted(answer.status(), e.getMessage()));
    }
  }

  /// Handles one line of a streamed answer: a line that is not progress is held until the last one.
  private static void heard(String line, ToolContext context) {
    context.alive();
    JsonNode progress = member(Json.text(line), "progress");
    if (progress != null && progress.isString()) {
      context.progress(progress.stringValue());
    }
  }

  private static @Nullable JsonNode member(Json json, String name) {
    try {
      return json.isObject() ? json.tree().get(name) : null;
    } catch (JsonException e) {
      return null;
    }
  }

  /// What the last line answers.
  private static Json last(Json line, int status) {
    if (!line.isObject() || line.tree().size() != 1) {
      return line;
    }
    JsonNode progress = line.tree().get("progress");
    if (progress != null && progress.isString()) {
      // It is not known whether the tool has acted: asking again could act twice.
      throw ToolException.last(
          ResultCode.FAILED, "HTTP %d: the answer ended without a result".formatted(status));
    }
    JsonNode result = line.tree().get("result");
    return result == null ? line : Json.of(result);
  }

  private static String head(String body) {
    boolean splitsPair = Character.isHighSurrogate(body.charAt(BODY_SHOWN - 1));
    return body.substring(0, splitsPair ? BODY_SHOWN - 1 : BODY_SHOWN);
  }

  private static ToolException failure(HttpAnswer answer, ToolContext context) {
    int status = answer.status();
    String body = answer.body().strip();
    String shown = body.length() > BODY_SHOWN ? head(body) + "..." : body;
    String cause = "HTTP " + status + (shown.isEmpty() ? "" : ": " + shown);
    boolean passing = status == 408 || status == 425 || status == 429 || status >= 500;
    return passing
        ? ToolException.passing(cause, RetryAfter.parse(answer.retryAfter(), context.time().now()))
        : new ToolException(cause);
  }

  /// In our own words, since the exception's may hold addresses of the internal network.
  private static String words(IOException e) {
    return switch (e) {
      case UnknownHostException unknown -> "the host was not found";
      case ConnectException refused -> "the connection was refused";
      case SSLException tls -> "no secure connection could be made";
      default -> "network error (" + e.getClass().getSimpleName() + ")";
    };
  }
}
