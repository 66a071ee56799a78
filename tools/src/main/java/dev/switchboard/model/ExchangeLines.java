package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.json.Records;
import dev.switchboard.model.Exchange.Outcome;
import dev.switchboard.text.Surrogates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The lines of a recording, each with what is new since the previous one. Used by one thread at a
/// time.
final class ExchangeLines {
  private List<Message> before = List.of();

  /// The first line.
  record Header(int recording, String model) {}

  /// @param from the number of unchanged messages at the beginning
  /// @param messages the new ones
  private record Line(
      int from,
      List<Message> messages,
      Map<String, String> tools,
      ModelRequest.@Nullable ToolChoice choice,
      @Nullable String format,
      List<String> fragments,
      @Nullable ModelReply reply,
      @Nullable Failure failure) {
    private Line {
      if ((reply == null) == (failure == null)) {
        throw new IllegalArgumentException("one of 'reply' and 'failure' must be there, an object");
      }
    }

    Outcome outcome() {
      return reply != null ? new Outcome.Replied(reply) : Objects.requireNonNull(failure).outcome();
    }
  }

  private record Failure(
      ModelException.Kind kind,
      @Nullable String message,
      @JsonProperty("retry_after_ms") @Nullable Long retryAfterMs) {
    static Failure of(Outcome.Failed failed) {
      Duration retryAfter = failed.retryAfter();
      return new Failure(
          failed.kind(), failed.message(), retryAfter == null ? null : retryAfter.toMillis());
    }

    Outcome outcome() {
      return new Outcome.Failed(
          kind,
          message == null ? "" : message,
          retryAfterMs == null ? null : Duration.ofMillis(retryAfterMs));
    }
  }

  static String header(String model) {
    return text(new Header(Recording.VERSION, model));
  }

  /// The next line.
  String write(Exchange exchange) {
    List<Message> messages = exchange.messages();
    int from = extendsBefore(messages) ? before.size() : 0;
    before = messages;
    boolean offered = !exchange.tools().isEmpty();
    Outcome outcome = exchange.outcome();
    return text(
        new Line(
            from,
            messages.subList(from, messages.size()),
            exchange.tools(),
            offered ? exchange.choice() : null,
            exchange.format(),
            exchange.fragments(),
            outcome instanceof Outcome.Replied(ModelReply reply) ? reply : null,
            outcome instanceof Outcome.Failed failed ? Failure.of(failed) : null));
  }

  private boolean extendsBefore(List<Message> messages) {
    return messages.size() >= before.size() && messages.subList(0, before.size()).equals(before);
  }

  private static String text(Object line) {
    return Surrogates.repaired(Records.write(line).text()) + "\n";
  }

  /// The exchange of the next line.
  ///
  /// @throws IllegalArgumentException that says what is wrong in the line
  Exchange read(JsonNode json) {
    Line line = Records.read(json, Line.class);
    if (line.from < 0 || line.from > before.size()) {
      throw new IllegalArgumentException(
          "'from' is %d, and the request before had only %d".formatted(line.from, before.size()));
    }
    List<Message> messages = new ArrayList<>(before.subList(0, line.from));
    messages.addAll(line.messages);
    before = List.copyOf(messages);
    return new Exchange(
        before,
        line.tools,
        line.choice == null ? ModelRequest.ToolChoice.NONE : line.choice,
        line.format,
        List.copyOf(line.fragments),
        line.outcome());
  }
}
