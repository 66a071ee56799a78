package dev.switchboard.server;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/// Requests of handlers to a person while their calls run; they end with the calls.
///
/// Thread-safe.
final class HandlerRequests implements Approver {
  private final Map<String, Open> open = new ConcurrentHashMap<>();

  private record Open(ConsentRequest request, CompletableFuture<Answer> answer) {}

  @Override
  public Answer ask(ConsentRequest request) throws InterruptedException, ExecutionException {
    Open asked = new Open(request, new CompletableFuture<>());
    open.put(request.id(), asked);
    try {
      return asked.answer.get();
    } finally {
      open.remove(request.id(), asked);
    }
  }

  /// The unanswered requests.
  List<ConsentRequest> waiting() {
    return open.values().stream().map(Open::request).toList();
  }

  /// Answers a request; false if it is not open.
  boolean answer(String request, Answer answer) {
    Open asked = open.get(request);
    return asked != null && asked.answer.complete(answer);
  }
}
