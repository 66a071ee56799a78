package dev.switchboard.cli.demo;

import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/// The recorded conversation: what the user says, and what the model says and asks for.
final class Recording {
  private Recording() {}

  /// One step of it.
  sealed interface Step {}

  /// The user speaks.
  record User(String text) implements Step {}

  /// The model speaks.
  record Say(String text) implements Step {}

  /// The model asks for these calls together.
  record Calls(List<Call> calls) implements Step {}

  /// A person answers the request for consent that waits.
  ///
  /// @param decision `approve` or `deny`
  /// @param ends how the call ended when it was recorded
  record Answered(String decision, String ends) implements Step {}

  /// A call of the model.
  ///
  /// @param ends how it ended when it was recorded: `ok`, the code of the result, or
  ///   `consent_request`
  record Call(String name, Json arguments, String ends) {}

  static List<Step> steps() {
    return text("turns.jsonl").lines().map(Recording::step).toList();
  }

  /// A file of the demonstration.
  static String text(String file) {
    try (InputStream in = Recording.class.getResourceAsStream("/demo/" + file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Step step(String line) {
    JsonNode step = Json.text(line).tree();
    if (step.has("user")) {
      return new User(step.path("user").asString());
    }
    if (step.has("say")) {
      return new Say(step.path("say").asString());
    }
    if (step.has("answer")) {
      return new Answered(step.path("answer").asString(), step.path("ends").asString());
    }
    return new Calls(step.path("calls").valueStream().map(Recording::call).toList());
  }

  private static Call call(JsonNode call) {
    return new Call(
        call.path("name").asString(),
        Json.of(call.path("arguments")),
        call.path("ends").asString());
  }
}
