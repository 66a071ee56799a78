package dev.switchboard.mcp.oauth;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Credentials for requests to one server.
///
/// Implementations are thread-safe.
public interface Credentials {
  /// The value of the header `Authorization` for the next request; null for none yet. May refresh a
  /// token.
  ///
  /// @param onCancel receives an action that ends the wait from another thread
  /// @throws OAuthException when there are no credentials, with a sentence for the operator
  @Nullable String header(Consumer<Runnable> onCancel) throws IOException, InterruptedException;

  /// Handles a response 401 or 403: returns whether there are new credentials for another attempt.
  /// If the server refuses all of them, it soon returns false.
  ///
  /// @param sent the value of the header `Authorization` of the refused request; null for none
  /// @param challenge the response's header `WWW-Authenticate`; null for none
  /// @param onCancel receives an action that ends the wait from another thread
  /// @throws OAuthException when new credentials are needed and unavailable, with a sentence that
  ///   names the remedy
  boolean renew(
      @Nullable String sent, int status, @Nullable String challenge, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException;
}
