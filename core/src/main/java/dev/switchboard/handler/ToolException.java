package dev.switchboard.handler;

import dev.switchboard.tool.ResultCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/// A failure whose text is meant for the model; of any other exception it is told only the kind.
public final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What a failure means for further attempts and for the circuit breaker.
  public enum Kind {
    /// May be tried again.
    FAILURE,
    /// May be tried again, and is likely to pass: network trouble, overload.
    TRANSIENT,
    /// May be tried again, and is likely to pass; unlike [#TRANSIENT] nobody knows whether the deed
    /// was done: a connection that was lost behind the request.
    LOST,
    /// Not to be tried again, and counts as a failure: the deed may be done.
    FINAL,
    /// Not to be tried again, and no failure of the tool: it has answered no.
    PERMANENT;

    /// Of an exception of the network or of a handler that gave up waiting: [#TRANSIENT] where
    /// nothing was sent, else [#LOST].
    public static Kind of(Exception trouble) {
      return switch (trouble) {
        case ConnectException refused -> TRANSIENT;
        case NoRouteToHostException unreachable -> TRANSIENT;
        case UnknownHostException unknown -> TRANSIENT;
        case SSLHandshakeException unsecured -> TRANSIENT;
        case SSLPeerUnverifiedException unverified -> TRANSIENT;
        default -> LOST;
      };
    }
  }

  private final Kind kind;
  private final ResultCode code;
  private final transient @Nullable Duration retryAfter;

  /// A failure that may be tried again.
  public ToolException(String message) {
    this(Kind.FAILURE, ResultCode.FAILED, message, null, null);
  }

  /// A failure that may be tried again.
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
  }

  /// The tool has answered no, and would again: such as an order that does not exist. The message
  /// alone is what the model reads as the error.
  public static ToolException permanent(String message) {
    return new ToolException(Kind.PERMANENT, ResultCode.FAILED, message, null, null);
  }

  /// Trouble that is likely to pass.
  ///
  /// @param retryAfter how long to wait at least, null where nobody said
  public static ToolException passing(String message, @Nullable Duration retryAfter) {
    return new ToolException(Kind.TRANSIENT, ResultCode.FAILED, message, retryAfter, null);
  }

  /// Trouble on the way that is likely to pass.
  ///
  /// @param cause tells whether the other side can have got the request
  public static ToolException trouble(String message, IOException cause) {
    return new ToolException(Kind.of(cause), ResultCode.FAILED, message, null, null);
  }

  /// A failure that must not be tried again.
  ///
  /// @param code what the result says
  public static ToolException last(ResultCode code, String message) {
    return new ToolException(Kind.FINAL, code, message, null, null);
  }

  /// What it means for further attempts.
  public Kind kind() {
    return kind;
  }

  /// What the result says.
  public ResultCode code() {
    return code;
  }

  /// How long to wait at least before another attempt, null where nobody said.
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
