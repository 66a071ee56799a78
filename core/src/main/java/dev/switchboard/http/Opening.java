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

/// A request that has no connection yet, and how it is kept from one.
///
/// The HTTP client ends a request that has a connection. While it opens one there are moments in
/// which cancelling has no effect: the whole look-up of the name, which cannot be stopped, and the
/// steps between look-up, connect and handshake. Thread-safe.
public final class Opening {
  // The client does not say for which request it looks up or makes a socket, but does both on the
  // request's own thread.
  private static final ThreadLocal<Opening> CURRENT = new ThreadLocal<>();

  private final CompletableFuture<List<InetAddress>> cancelled = new CompletableFuture<>();
  private @Nullable CountedSocket socket; // guarded by this

  /// One that is not cancelled.
  public Opening() {}

  /// That of the request which this thread is at, or null.
  public static @Nullable Opening current() {
    return CURRENT.get();
  }

  /// Makes it that of the current thread.
  public void enter() {
    CURRENT.set(this);
  }

  /// Leaves the current thread without one.
  public void leave() {
    CURRENT.remove();
  }

  /// Ends the look-up and the connecting, whatever has come of it.
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

  /// The addresses that a look-up finds. The resolver, which nothing may be able to stop, asks on a
  /// thread of its own, and is left behind when the request is cancelled or its thread interrupted.
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

  /// Has that socket closed when the request is cancelled, until it is [#connected].
  public synchronized void connecting(CountedSocket made) {
    socket = made;
    if (cancelled.isDone()) {
      close(made);
    }
  }

  /// The request has its connection, which others may use as soon as it needs it no more.
  ///
  /// @return the socket that was made for it, null if the connection was there before
  public synchronized @Nullable CountedSocket connected() {
    CountedSocket made = socket;
    socket = null;
    return made;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
