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

/// A failure whose text is meant for the model; of any other exception the model is told only the
/// kind.
public final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What a failure means for further attempts and for the circuit breaker.
  public enum Kind {
    /// May be tried again.
    FAILURE,
    /// May be tried again, and is likely to pass: network trouble, overload.
    TRANSIENT,
    /// May be tried again, and is likely to pass; unlike [#TRANSIENT] it is not known whether the
    /// tool has acted: a connection that was lost after the request.
    LOST,
    /// Not to be tried again, and counts as a failure: the tool may have acted.
    FINAL,
    /// Not to be tried again, and not a failure of the tool: it has answered that it will not.
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

  /// The tool has refused, and would again, such as for an order that does not exist. The model
  /// reads only this message as the error.
  public static ToolException permanent(String message) {
    return new ToolException(Kind.PERMANENT, ResultCode.FAILED, message, null, null);
  }

  /// A failure that is likely to pass.
  ///
  /// @param retryAfter the least time to wait, null where it is not known
  public static ToolException passing(String message, @Nullable Duration retryAfter) {
    return new ToolException(Kind.TRANSIENT, ResultCode.FAILED, message, retryAfter, null);
  }

  /// A failure of the connection that is likely to pass.
  ///
  /// @param cause tells whether the other side can have received the request
  public static ToolException trouble(String message, IOException cause) {
    return new ToolException(Kind.of(cause), ResultCode.FAILED, message, null, null);
  }

  /// A failure that must not be tried again.
  ///
  /// @param code the code of the result
  public static ToolException last(ResultCode code, String message) {
    return new ToolException(Kind.FINAL, code, message, null, null);
  }

  /// What the failure means for further attempts.
  public Kind kind() {
    return kind;
  }

  /// The code of the result.
  public ResultCode code() {
    return code;
  }

  /// The least time to wait before another attempt, null where it is not known.
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
