package dev.switchboard.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// The look-ups of a client's requests, each of which can be given up with its request though the
/// resolver, which nothing can stop, goes on.
///
/// Safe for use by several threads.
final class Lookups implements Resolver {
  private final Resolver resolver;

  // How the request that a thread is at tells its look-up that it was cancelled: the HTTP client
  // does not say for which request it asks, but it asks on that request's thread.
  @SuppressWarnings("ThreadLocalUsage") // a client's own, like its connections
  private final ThreadLocal<CompletableFuture<List<InetAddress>>> current = new ThreadLocal<>();

  Lookups(Resolver resolver) {
    this.resolver = resolver;
  }

  /// Has the look-ups of this thread end when that is completed, until [#leave].
  void enter(CompletableFuture<List<InetAddress>> cancelled) {
    current.set(cancelled);
  }

  void leave() {
    current.remove();
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    CompletableFuture<List<InetAddress>> cancelled = current.get();
    return cancelled == null ? resolver.resolve(host) : resolve(host, cancelled);
  }

  private List<InetAddress> resolve(String host, CompletableFuture<List<InetAddress>> cancelled)
      throws UnknownHostException {
    CompletableFuture<List<InetAddress>> answers = new CompletableFuture<>();
    Thread.ofVirtual().name("look-up").start(() -> look(host, answers));
    try {
      return answers.applyToEither(cancelled, either -> either).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException("the look-up was interrupted");
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private void look(String host, CompletableFuture<List<InetAddress>> answers) {
    try {
      answers.complete(resolver.resolve(host));
    } catch (Throwable thrown) {
      answers.completeExceptionally(thrown);
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
}
