package dev.switchboard.mcp.oauth;

import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.Serial;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The port to where logins are kept, by the URL of the MCP server that they are for.
///
/// Implementations are safe for use by several threads.
public interface TokenStore {
  /// What is kept for that server, which is secret; null for nothing.
  ///
  /// @throws UnusableException when it cannot be read
  @Nullable Json read(String server) throws UnusableException;

  /// Puts what is made of what is kept for that server in its place. Meanwhile no other thread and
  /// no other process that uses the same store changes it, and so only one of them uses up a
  /// refresh token.
  ///
  /// @param onCancel is given what ends the waiting from another thread
  /// @throws UnusableException when it cannot be read or written; `change` may have been made
  /// @throws IOException when `change` throws it
  void change(String server, Change change, Consumer<Runnable> onCancel)
      throws IOException, InterruptedException;

  /// A store that forgets everything at the end of this process.
  static TokenStore inMemory() {
    return new InMemory();
  }

  /// What makes the new from the old, perhaps by asking an authorization server.
  @FunctionalInterface
  interface Change {
    /// What is to be kept; null for nothing.
    ///
    /// @param now what is kept; null for nothing
    @Nullable Json of(@Nullable Json now) throws IOException, InterruptedException;
  }

  /// A store that cannot be read or written, with a clause that says why.
  final class UnusableException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    /// A failure of this store.
    ///
    /// @param clause such as `the file F is open to other users`; holds nothing that is kept
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
        Json made = change.of(kept.get(server));
        if (made == null) {
          kept.remove(server);
        } else {
          kept.put(server, made);
        }
      } finally {
        changing.unlock();
      }
    }
  }
}
