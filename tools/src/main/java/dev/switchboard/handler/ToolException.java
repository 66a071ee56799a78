package dev.switchboard.handler;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.ResponseTooLargeException;
import dev.switchboard.http.RetryAfter;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.text.JsonPointer;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/// A failure whose text the model reads; of any other exception it reads only the class.
public final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What a failure means for further attempts and for the circuit breaker.
  public enum Kind {
    /// May be retried.
    FAILURE,
    /// May be retried, and is likely to pass: network failures, overload.
    TRANSIENT,
    /// As [#TRANSIENT], and the tool cannot have acted: nothing was sent.
    UNSENT,
    /// May be retried, but the tool may have acted: a connection that was lost after the request.
    LOST,
    /// Not retried; the code decides whether it counts for the circuit breaker.
    FINAL,
    /// Not retried and not a failure of the tool: it has refused.
    PERMANENT,
    /// Not retried, and no start of the tool: it has refused a value before it sent or changed
    /// anything, and accepts another.
    INVALID;

    /// Of an exception of the network or of a handler that gave up waiting: [#UNSENT] if nothing
    /// was sent, otherwise [#LOST].
    public static Kind of(Exception trouble) {
      return switch (trouble) {
        case ConnectException refused -> UNSENT;
        case NoRouteToHostException unreachable -> UNSENT;
        case UnknownHostException unknown -> UNSENT;
        case SSLHandshakeException unsecured -> UNSENT;
        case SSLPeerUnverifiedException unverified -> UNSENT;
        default -> LOST;
      };
    }
  }

  private static final int BODY_SHOWN = 500;

  private final Kind kind;
  private final ResultCode code;
  private final transient @Nullable Duration retryAfter;
  private final String pointer;

  /// A failure that may be retried.
  public ToolException(String message) {
    this(Kind.FAILURE, ResultCode.FAILED, message, null, null);
  }

  /// A failure that may be retried.
  public ToolException(String message, Throwable cause) {
    this(Kind.FAILURE, ResultCode.FAILED, message, null, cause);
  }

  private ToolException(
      Kind kind,
      ResultCode code,
      String message,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter;
    pointer = "";
  }

  private ToolException(String pointer, String message) {
    super(message);
    kind = Kind.INVALID;
    code = ResultCode.INVALID_ARGUMENTS;
    retryAfter = null;
    this.pointer = pointer;
  }

  /// A refusal of the tool that a retry would not change, such as for an unknown order. The model
  /// reads only this message.
  public static ToolException permanent(String message) {
    return new ToolException(Kind.PERMANENT, ResultCode.FAILED, message, null, null);
  }

  /// A refusal of a value in the arguments, thrown before anything was sent or changed. The model
  /// reads it as a fault of the arguments; it counts for no rule and no circuit breaker.
  ///
  /// @param pointer the JSON pointer (RFC 6901) of the value, such as `/order/id`; empty for all
  ///   arguments
  /// @param sentence what is wrong with it
  public static ToolException invalid(String pointer, String sentence) {
    return new ToolException(pointer, sentence);
  }

  /// A refusal of an argument, as [#invalid].
  public static ToolException invalidArgument(String name, String sentence) {
    return invalid("/" + JsonPointer.step(name), sentence);
  }

  /// A failure that is likely to pass.
  ///
  /// @param retryAfter the least time to wait, null if unknown
  public static ToolException passing(String message, @Nullable Duration retryAfter) {
    return new ToolException(Kind.TRANSIENT, ResultCode.FAILED, message, retryAfter, null);
  }

  /// A failure of the connection that is likely to pass.
  ///
  /// @param cause shows whether the receiver may have got the request
  public static ToolException trouble(String message, IOException cause) {
    return new ToolException(Kind.of(cause), ResultCode.FAILED, message, null, null);
  }

  /// A failure that must not be retried. The model reads `Tool failed after 1 attempt: ` and the
  /// message.
  ///
  /// @param code the code of the result, which also decides whether the circuit breaker counts it
  public static ToolException last(ResultCode code, String message) {
    return new ToolException(Kind.FINAL, code, message, null, null);
  }

  /// The failure of a request that was not answered.
  ///
  /// @throws InterruptedException where it was cut off by an interrupt
  public static ToolException ofRequest(IOException failed) throws InterruptedException {
    if (failed instanceof UrlGuard.BlockedException blocked) {
      return last(ResultCode.URL_BLOCKED, "URL blocked: " + blocked.reason());
    }
    if (failed instanceof ResponseTooLargeException) {
      return last(ResultCode.RESPONSE_TOO_LARGE, String.valueOf(failed.getMessage()));
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException();
    }
    return trouble(words(failed), failed);
  }

  /// The failure of an answer outside 2xx.
  public static ToolException ofAnswer(HttpAnswer answer, Instant now) {
    int status = answer.status();
    String body = answer.body().strip();
    String shown = body.length() > BODY_SHOWN ? head(body) + "..." : body;
    String cause = "HTTP " + status + (shown.isEmpty() ? "" : ": " + shown);
    boolean passing = status == 408 || status == 425 || status == 429 || status >= 500;
    Kind kind = passing ? Kind.TRANSIENT : Kind.FAILURE;
    Duration retryAfter = RetryAfter.parse(answer.retryAfter(), now);
    return new ToolException(kind, ResultCode.FAILED, cause, retryAfter, null);
  }

  private static String head(String body) {
    boolean splitsPair = Character.isHighSurrogate(body.charAt(BODY_SHOWN - 1));
    return body.substring(0, splitsPair ? BODY_SHOWN - 1 : BODY_SHOWN);
  }

  /// Our own words, since the exception's may hold internal addresses.
  private static String words(IOException e) {
    return switch (e) {
      case UnknownHostException unknown -> "the host was not found";
      case ConnectException refused -> "the connection was refused";
      case SSLException tls -> "no secure connection could be made";
      default -> "network error (" + e.getClass().getSimpleName() + ")";
    };
  }

  /// What the failure means for further attempts.
  public Kind kind() {
    return kind;
  }

  /// The JSON pointer of the value that was refused, empty for all arguments.
  public String pointer() {
    return pointer;
  }

  /// The fault of the arguments that this refusal is.
  public Fault fault() {
    String message = getMessage();
    String why = message == null || message.isBlank() ? "no reason given" : message.strip();
    return Fault.refused(pointer, why);
  }

  /// The code of the result.
  public ResultCode code() {
    return code;
  }

  /// The least time to wait before another attempt, null if unknown.
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
