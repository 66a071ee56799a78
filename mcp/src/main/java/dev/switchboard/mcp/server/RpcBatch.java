package dev.switchboard.mcp.server;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// A batch of messages (JSON-RPC 2.0, 6), which one revision of the protocol has.
record RpcBatch(List<JsonNode> messages) {
  private static final String REVISION = "2025-03-26";
  private static final int MOST = 50;

  /// Whether the text is one, valid or not.
  static boolean is(String text) {
    return text.stripLeading().startsWith("[");
  }

  /// The batch of that text, in a session of that revision.
  ///
  /// @throws RpcException when it is not one, or the revision has none
  static RpcBatch read(String text, String version) throws RpcException {
    if (!version.equals(REVISION)) {
      throw invalid("revision " + version + " has no batches: send each message for itself");
    }
    JsonNode all;
    try {
      all = Json.text(text).tree();
    } catch (JsonException e) {
      throw new RpcException(RpcError.PARSE, "The batch " + e.getMessage());
    }
    if (all.isEmpty() || all.size() > MOST) {
      throw invalid("a batch has 1 to " + MOST + " messages");
    }
    return new RpcBatch(List.copyOf(all.values()));
  }

  private static RpcException invalid(String why) {
    return new RpcException(RpcError.INVALID_REQUEST, "Invalid message: " + why);
  }

  /// Begins its requests, which run side by side; their answers are one text, empty for none.
  ///
  /// @param notifications receives its notifications
  /// @param answered receives its answers to the server's requests
  CompletableFuture<String> begin(
      Methods methods,
      Client client,
      Consumer<RpcMessage.Notification> notifications,
      Consumer<RpcMessage.Answer> answered) {
    List<CompletableFuture<RpcMessage.Answer>> answers = new ArrayList<>();
    for (JsonNode each : messages) {
      try {
        switch (RpcMessage.read(each)) {
          case RpcMessage.Request request -> answers.add(begun(request, methods, client));
          case RpcMessage.Notification notification -> notifications.accept(notification);
          case RpcMessage.Answer answer -> answered.accept(answer);
        }
      } catch (RpcException e) {
        answers.add(CompletableFuture.completedFuture(new RpcMessage.Failure(null, e.error())));
      }
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(all -> text(answers));
  }

  private static String text(List<CompletableFuture<RpcMessage.Answer>> answers) {
    return answers.isEmpty()
        ? ""
        : answers.stream()
            .map(answer -> answer.join().text())
            .collect(Collectors.joining(",", "[", "]"));
  }

  private static CompletableFuture<RpcMessage.Answer> begun(
      RpcMessage.Request request, Methods methods, Client client) {
    CompletableFuture<RpcMessage.Answer> answer = new CompletableFuture<>();
    Thread unused =
        Thread.ofVirtual()
            .name("mcp call")
            .start(
                () -> answer.completeAsync(() -> answer(request, methods, client), Runnable::run));
    return answer;
  }

  private static RpcMessage.Answer answer(
      RpcMessage.Request request, Methods methods, Client client) {
    if (request.method().equals("initialize")) {
      RpcError error =
          new RpcError(RpcError.INVALID_REQUEST, "initialize cannot be part of a batch", null);
      return new RpcMessage.Failure(request.id(), error);
    }
    return methods.answer(request, client, new Alone());
  }

  /// The connection of a batch, which has no place for other messages than its answers.
  private static final class Alone implements Peer {
    @Override
    public void post(RpcMessage.Notification notification) {
      // Progress is optional.
    }

    @Override
    public JsonNode ask(String method, JsonNode params, Duration most) throws RpcException {
      throw new RpcException(RpcError.INVALID_REQUEST, "A batch cannot be asked.");
    }
  }
}
