package dev.switchboard.provider;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ReplyStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import okhttp3.Interceptor;
import org.jspecify.annotations.Nullable;

/// The progress of one request, which determines what its failure means.
final class Progress {
  static final Interceptor INTERCEPTOR =
      chain -> {
        Progress progress = chain.request().tag(Progress.class);
        if (progress != null) {
          progress.connected = true;
        }
        return chain.proceed(chain.request());
      };

  private volatile boolean connected;
  private boolean answered;

  void answered() {
    answered = true;
  }

  static ModelException cancelled(Failures failures, @Nullable Throwable cause) {
    return failures.of(Kind.CANCELLED, "was told to stop.", null, cause);
  }

  ModelException failure(
      IOException e, ReplyStream stream, Failures failures, ModelOptions options) {
    if (stream.cancelled() || Thread.currentThread().isInterrupted()) {
      return cancelled(failures, e);
    }
    return switch (e) {
      case SocketTimeoutException slow when connected ->
          failures.of(
              Kind.TIMEOUT,
              "was silent for %d ms, longer than its idle limit: raise limits.model_timeout."
                  .formatted(options.idleLimit().toMillis()),
              null,
              slow);
      case SocketTimeoutException slow -> unreachable(slow, failures);
      case InterruptedIOException slow ->
          failures.of(
              Kind.TIMEOUT,
              "took longer than its total limit of %d ms: raise limits.model_timeout."
                  .formatted(options.totalLimit().toMillis()),
              null,
              slow);
      case LimitedSource.TooLargeException large ->
          failures.broken("sent more than 16 MiB.", large);
      case ProtocolException odd when !answered -> failures.broken("does not speak HTTP.", odd);
      case IOException other when answered ->
          failures.broken(
              other.getMessage() == null ? "broke off." : "broke off: " + other.getMessage() + ".",
              other);
      case IOException other when connected ->
          failures.of(Kind.UNAVAILABLE, "hung up before it answered.", null, other);
      case IOException other -> unreachable(other, failures);
    };
  }

  private static ModelException unreachable(IOException e, Failures failures) {
    return failures.of(Kind.UNAVAILABLE, "cannot be reached: " + reason(e) + ".", null, e);
  }

  private static String reason(IOException e) {
    String said = String.valueOf(e.getMessage());
    String cause = e.getCause() == null ? said : String.valueOf(e.getCause().getMessage());
    return switch (e) {
      case UnknownHostException unknown -> "its name is not known";
      case ConnectException refused when cause.contains("refused") -> "the connection was refused";
      case SocketTimeoutException slow -> "no connection was made in time";
      default -> e.getClass().getSimpleName() + ", " + said;
    };
  }
}
