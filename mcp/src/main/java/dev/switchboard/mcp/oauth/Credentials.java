package dev.switchboard.mcp.oauth;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What proves to one server on whose behalf requests are made.
///
/// Implementations are safe for use by several threads.
public interface Credentials {
  /// The value of the header `Authorization` for the next request; null for none yet. May refresh a
  /// token.
  ///
  /// @param onCancel is given what ends the waiting from another thread
  /// @throws OAuthException when there are none to be had, with a sentence for the operator
  @Nullable String header(Consumer<Runnable> onCancel) throws IOException, InterruptedException;

  /// After an answer 401 or 403: whether there are other credentials now, so that the request is
  /// worth another try. A server that refuses all of them soon gets false.
  ///
  /// @param sent the value of the header `Authorization` that the refused request had; null for
  ///   none
  /// @param challenge the answer's header `WWW-Authenticate`; null for none
  /// @param onCancel is given what ends the waiting from another thread
  /// @throws OAuthException when other credentials are needed and not to be had, with a sentence
  ///   that names the remedy
  boolean renew(
      @Nullable String sent, int status, @Nullable String challenge, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException;
}
