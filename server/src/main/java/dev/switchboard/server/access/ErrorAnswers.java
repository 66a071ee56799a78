package dev.switchboard.server.access;

import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.StoreException;
import dev.switchboard.json.JsonException;
import dev.switchboard.mount.FullException;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.router.Endpoint;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Turns every error into a [Problem]: exceptions of routes, errors of Javalin, and requests that
/// Jetty refuses before routing.
final class ErrorAnswers {
  private static final System.Logger LOG = System.getLogger(ErrorAnswers.class.getName());
  private static final int FRAMES = 12;
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration ROOM = Duration.ofSeconds(5);

  private ErrorAnswers() {}

  static void install(JavalinConfig config, Time time) {
    config.http.prefer405over404 = true;
    config.routes.exception(Problem.class, (problem, ctx) -> answer(problem, ctx));
    config.routes.exception(
        ConversationNotFoundException.class, (e, ctx) -> answer(Problem.notFound(), ctx));
    config.routes.exception(FullException.class, (e, ctx) -> answer(full(e), ctx));
    config.routes.exception(JsonException.class, (e, ctx) -> answer(badJson(e), ctx));
    config.routes.exception(HttpResponseException.class, (e, ctx) -> answer(of(e), ctx));
    config.routes.exception(
        HttpException.RuntimeException.class, (e, ctx) -> answer(ofStatus(e.getCode()), ctx));
    // The client has disconnected while it sent its body.
    config.routes.exception(EofException.class, (e, ctx) -> answer(ofStatus(400), ctx));
    RateLimitedLog away = new RateLimitedLog(time::nanos);
    config.routes.exception(StoreException.class, (e, ctx) -> answer(unstored(e, ctx, away), ctx));
    config.routes.exception(Exception.class, ErrorAnswers::failed);
    config.router.handlerWrapper(ErrorAnswers::guarded);
    config.jetty.modifyServer(server -> server.setErrorHandler(new Refused()));
    config.jetty.modifyServletContextHandler(context -> context.setErrorHandler(new Refused()));
  }

  private static Problem full(FullException e) {
    return Problem.rateLimited(String.valueOf(e.getMessage()), ROOM);
  }

  private static Problem badJson(JsonException e) {
    return Problem.badRequest("The body " + e.getMessage() + ".");
  }

  private static Problem of(HttpResponseException e) {
    Problem problem = ofStatus(e.getStatus());
    String allowed =
        e instanceof MethodNotAllowedResponse
            ? e.getDetails()
                .getOrDefault("availableMethods", e.getDetails().get("Available methods"))
            : null;
    return allowed == null ? problem : problem.withHeader("Allow", allowed);
  }

  private static Problem ofStatus(int status) {
    return switch (status) {
      case 404 -> Problem.notFound();
      case 405 ->
          Problem.of(405, "method_not_allowed", "This path does not take requests of this method.");
      case 408 -> Problem.of(408, "timeout", "The request did not come in time.");
      case 413 ->
          Problem.tooLarge(
              413, "The body is larger than 1 MiB, or than 8 MiB where it may hold files.");
      case 414 -> Problem.tooLarge(414, "The URL is longer than 8 KiB.");
      case 431 -> Problem.tooLarge(431, "The headers are larger than 16 KiB.");
      default ->
          status < 500
              ? Problem.of(status, "bad_request", "The request cannot be read.")
              : Problem.of(status, "internal", "The server failed.");
    };
  }

  /// While the store does not answer, the fault is not the server's.
  private static Problem unstored(StoreException e, Context ctx, RateLimitedLog away) {
    if (!e.mayPass()) {
      return failed(log(e, ctx.method() + " " + ctx.endpoint().path));
    }
    away.warn(LOG, "requests are refused", e);
    return Problem.of(503, "not_stored", "The store does not answer; try again.").retryAfter(RETRY);
  }

  private static void answer(Problem problem, Context ctx) {
    if (!ctx.res().isCommitted()) {
      problem.answer(ctx);
    }
  }

  private static void failed(Exception e, Context ctx) {
    Throwable thrown = e instanceof BrokenException broken ? broken.error : e;
    if (thrown instanceof OutOfMemoryError) {
      LOG.log(Level.ERROR, "a request is refused: Java's heap is full");
      answer(noMemory(), ctx);
      return;
    }
    answer(failed(log(thrown, ctx.method() + " " + ctx.endpoint().path)), ctx);
  }

  private static Problem noMemory() {
    return Problem.of(503, "no_memory", "The server has no memory left for it; try again.")
        .retryAfter(ROOM);
  }

  private static Problem failed(String id) {
    return Problem.of(500, "internal", "The server failed; its log says more under " + id + ".")
        .with("id", id);
  }

  /// The handler of an endpoint, whose errors are exceptions like others. Javalin's handler of
  /// errors is not part of its module.
  private static Handler guarded(Endpoint endpoint) {
    return ctx -> {
      try {
        endpoint.handler.handle(ctx);
      } catch (Error e) {
        throw new BrokenException(e);
      }
    };
  }

  /// An [Error] of a route.
  private static final class BrokenException extends RuntimeException {
    private final transient Error error;

    BrokenException(Error error) {
      super(error);
      this.error = error;
    }
  }

  /// Without messages, which may contain conversation texts; they are logged at `DEBUG`.
  private static String log(Throwable thrown, String what) {
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    String frames =
        Arrays.stream(thrown.getStackTrace())
            .limit(FRAMES)
            .map(frame -> "\n  at " + frame)
            .collect(Collectors.joining());
    LOG.log(
        Level.ERROR,
        "%s: %s failed: %s%s".formatted(id, what, thrown.getClass().getName(), frames));
    LOG.log(Level.DEBUG, id, thrown);
    return id;
  }

  /// The answers to requests that Jetty refuses.
  private static final class Refused extends ErrorHandler {
    @Override
    public boolean errorPageForMethod(@Nullable String method) {
      return !HttpMethod.HEAD.is(method);
    }

    @Override
    protected void generateResponse(
        Request request,
        Response response,
        int code,
        @Nullable String message,
        @Nullable Throwable cause,
        Callback callback) {
      String path = String.valueOf(request.getHttpURI().getPath());
      Access.HEADERS.forEach(response.getHeaders()::put);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.contentType(path));
      byte[] body = ofStatus(code).body(path).text().getBytes(StandardCharsets.UTF_8);
      response.write(true, ByteBuffer.wrap(body), callback);
    }
  }
}
