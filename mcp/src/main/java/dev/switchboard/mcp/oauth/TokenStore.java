package dev.switchboard.mcp.oauth;

import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.Serial;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store of logins, by the URLs of the MCP servers.
///
/// Implementations are thread-safe.
public interface TokenStore {
  /// The stored value for that server, which is secret; null for none.
  ///
  /// @throws UnusableException when it cannot be read
  @Nullable Json read(String server) throws UnusableException;

  /// Replaces the stored value for that server. Meanwhile no other thread or process with the same
  /// store changes it, so that only one of them uses a refresh token.
  ///
  /// @param onCancel receives an action that ends the wait from another thread
  /// @throws UnusableException when it cannot be read or written; `change` may have been made
  /// @throws IOException when `change` throws it
  void change(String server, Change change, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException;

  /// A store in this process.
  static TokenStore inMemory() {
    return new InMemory();
  }

  /// Computes the new value from the old one, possibly by asking an authorization server.
  @FunctionalInterface
  interface Change {
    /// The new value; null for none.
    ///
    /// @param now the stored value; null for none
    @Nullable Json of(@Nullable Json now) throws IOException, InterruptedException;
  }

  /// A store that cannot be read or written, with the reason as a clause.
  final class UnusableException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    /// A failure of this store.
    ///
    /// @param clause such as `other users can change the file F`; contains no stored data
    public UnusableException(String clause) {
      super(clause);
    }
  }

  /// A store in memory.
  final class InMemory implements TokenStore {
    private final Map<String, Json> kept = new ConcurrentHashMap<>();
    private final ReentrantLock changing = new ReentrantLock();

    private InMemory() {}

    @Override
    public @Nullable Json read(String server) {
      return kept.get(server);
    }

    @Override
    public void change(String server, Change change, Consumer<Runnable> onCancel)
        throws IOException, InterruptedException {
      changing.lockInterruptibly();
      try {
        Json changed = change.of(kept.get(server));
        if (changed == null) {
          kept.remove(server);
        } else {
          kept.put(server, changed);
        }
      } finally {
        changing.unlock();
      }
    }
  }
}
