package dev.switchboard.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A request without a connection yet, which can be cancelled.
///
/// The HTTP client cancels a request that has a connection. While it opens one, cancelling has no
/// effect at times: during the whole DNS lookup, which cannot be stopped, and between lookup,
/// connect and handshake. Thread-safe.
public final class PendingConnection {
  // The client does not say for which request it makes a lookup or a socket, but does both on the
  // request's thread.
  private static final ThreadLocal<PendingConnection> CURRENT = new ThreadLocal<>();

  private final CompletableFuture<List<InetAddress>> cancelled = new CompletableFuture<>();
  private @Nullable CountedSocket socket; // guarded by this

  /// A request that is not cancelled.
  public PendingConnection() {}

  /// The one of the current thread, or null.
  public static @Nullable PendingConnection current() {
    return CURRENT.get();
  }

  /// Sets it for the current thread.
  public void enter() {
    CURRENT.set(this);
  }

  /// Clears it for the current thread.
  public void leave() {
    CURRENT.remove();
  }

  /// Stops the lookup and the connect, whatever their state.
  public void cancel() {
    cancelled.completeExceptionally(new UnknownHostException("the request was cancelled"));
    synchronized (this) {
      if (socket != null) {
        close(socket);
      }
    }
  }

  /// Whether it was cancelled.
  public boolean isCancelled() {
    return cancelled.isDone();
  }

  /// The addresses of a lookup. The resolver, which may not be interruptible, runs on a separate
  /// thread, which is abandoned when the request is cancelled or its thread interrupted.
  public List<InetAddress> lookUp(Callable<List<InetAddress>> resolver)
      throws UnknownHostException {
    CompletableFuture<List<InetAddress>> answers = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("look-up")
        .start(() -> {
          try {
            answers.complete(resolver.call());
          } catch (Throwable thrown) {
            answers.completeExceptionally(thrown);
          }
        });
    try {
      return answers.applyToEither(cancelled, either -> either).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException("the look-up was interrupted");
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private static UnknownHostException failure(@Nullable Throwable cause) {
    return switch (cause) {
      case UnknownHostException unknown -> unknown;
      case RuntimeException broken -> throw broken;
      case Error broken -> throw broken;
      case null, default -> new UnknownHostException(String.valueOf(cause));
    };
  }

  /// Sets the socket to close when the request is cancelled, until it is [#connected].
  public synchronized void connecting(CountedSocket connecting) {
    socket = connecting;
    if (cancelled.isDone()) {
      close(connecting);
    }
  }

  /// Records that the request has its connection, which other requests may use after it.
  ///
  /// @return the socket that was created for it, null if the connection was reused
  public synchronized @Nullable CountedSocket connected() {
    CountedSocket connecting = socket;
    socket = null;
    return connecting;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
