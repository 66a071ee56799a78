package dev.switchboard.mcp;

import dev.switchboard.mcp.oauth.Credentials;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// No credentials: for a server that needs none, or gets them in configured headers.
enum NoCredentials implements Credentials {
  INSTANCE;

  @Override
  public @Nullable String header(Consumer<Runnable> onCancel) {
    return null;
  }

  @Override
  public boolean renew(
      @Nullable String sent, int status, @Nullable String challenge, Consumer<Runnable> onCancel) {
    return false;
  }
}
