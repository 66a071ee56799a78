package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Where payments are made, outside of all processes that may die: each once per idempotency key,
/// however often it is asked for. Safe for use by several threads.
final class Payments implements AutoCloseable {
  private static final Duration WORK = Duration.ofMillis(30);

  private final StubWebhook receiver = StubWebhook.start().answer(this::pay);
  private final Map<String, Set<String>> keys = new ConcurrentHashMap<>(); // by the bill
  private final Map<String, Integer> requests = new ConcurrentHashMap<>(); // by the key
  private final Map<String, String> workers = new ConcurrentHashMap<>(); // that asked last
  private Blow blow = Blow.NEVER; // guarded by this
  private CompletableFuture<Hit> hit = new CompletableFuture<>(); // guarded by this
  private int asked; // since that blow was prepared; guarded by this

  /// What falls on the worker that asks for a payment.
  ///
  /// @param nth of the payments that are asked for from then on
  /// @param after how long after the payment was asked for
  /// @param unanswered whether the worker has no answer before it falls
  /// @param falls takes the worker's name
  record Blow(int nth, Duration after, boolean unanswered, Consumer<String> falls) {
    static final Blow NEVER = new Blow(Integer.MAX_VALUE, Duration.ZERO, true, worker -> {});
  }

  /// The bill and the worker of a payment that a blow fell on.
  record Hit(String bill, String worker, long nanos) {}

  /// Where that worker asks for payments.
  String url(String worker) {
    return receiver.url("/" + worker);
  }

  String hostAndPort() {
    return receiver.hostAndPort();
  }

  /// Has a blow fall in one of the next payments, and says in which when it has fallen. Until then
  /// none is made that is asked for after that one.
  synchronized CompletableFuture<Hit> strike(Blow next) {
    blow = next;
    hit = new CompletableFuture<>();
    asked = 0;
    return hit;
  }

  private StubAnswer pay(StubRequest request) {
    String bill = request.json().tree().path("arguments").path("bill").asString();
    String key = String.valueOf(request.header("Idempotency-Key"));
    String worker = request.path().substring(1);
    keys.computeIfAbsent(bill, _bill -> ConcurrentHashMap.newKeySet()).add(key);
    requests.merge(key, 1, Integer::sum);
    workers.put(bill, worker);
    struck(bill, worker);
    return StubAnswer.of(200, "{\"paid\":\"" + bill + "\"}").delay(WORK);
  }

  private void struck(String bill, String worker) {
    Blow falling;
    CompletableFuture<Hit> struck;
    int number;
    synchronized (this) {
      falling = blow;
      struck = hit;
      number = ++asked;
    }
    if (number > falling.nth) {
      Hit unused = struck.join();
    }
    if (number != falling.nth) {
      return;
    }
    Executor later =
        CompletableFuture.delayedExecutor(falling.after.toNanos(), TimeUnit.NANOSECONDS);
    CompletableFuture<Void> fallen =
        CompletableFuture.runAsync(
            () -> {
              long now = System.nanoTime();
              falling.falls.accept(worker);
              struck.complete(new Hit(bill, worker, now));
            },
            later);
    CompletableFuture<Void> unused =
        fallen.whenComplete((done, fault) -> {
          if (fault != null) {
            struck.completeExceptionally(fault);
          }
        });
    if (falling.unanswered) {
      fallen.join();
    }
  }

  /// The worker that asked for that payment last.
  String worker(String bill) {
    return workers.getOrDefault(bill, "");
  }

  /// How many payments were asked for more than once, in words.
  String again() {
    long again = requests.values().stream().filter(times -> times > 1).count();
    return again + " of " + requests.size() + " asked for again";
  }

  /// How often that payment was asked for.
  int requests(String bill) {
    return keys.getOrDefault(bill, Set.of()).stream().mapToInt(requests::get).sum();
  }

  /// Checks that the bill was paid under one key, and so once.
  void checkOnce(String bill) {
    assertThat(keys.getOrDefault(bill, Set.of())).as("keys of %s", bill).hasSize(1);
  }

  @Override
  public void close() {
    receiver.close();
  }
}
