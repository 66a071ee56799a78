package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.UnreadableException;
import dev.switchboard.model.Message;
import dev.switchboard.model.MessageJson;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lines of a transcript to and from JSON, told apart by their `type`; each names the version of
/// the form.
final class TranscriptEntryJson {
  private static final int VERSION = 1;

  private TranscriptEntryJson() {}

  static Json write(TranscriptEntry entry, Instant at) {
    ObjectNode out = Codec.object().put("v", VERSION).put("at", at.toString());
    switch (entry) {
      case TranscriptEntry.Greeted(String text) -> out.put("type", "greeted").put("text", text);
      case TranscriptEntry.Said(String input, String text, int turn) ->
          out.put("type", "said").put("input", input).put("text", text).put("turn", turn);
      case TranscriptEntry.Called(List<Message> messages) ->
          messages(out.put("type", "called"), messages);
      case TranscriptEntry.Replied replied -> {
        out.put("type", "replied").set("reply", MessageJson.write(replied.reply()));
        texts(out, "ids", replied.ids());
      }
      case TranscriptEntry.Failed(StopReason reason, String text, Kind cause) ->
          cause(out.put("type", "failed").put("reason", reason.word()).put("text", text), cause);
      case TranscriptEntry.Ended(List<Message> results, LoopDecision decision) -> {
        messages(out.put("type", "ended"), results);
        out.set("decision", write(decision));
      }
      case TranscriptEntry.Closed closed -> {
        out.put("type", "closed").put("reason", closed.reason().word()).put("text", closed.text());
        texts(out, "unmet", closed.unmet());
        out.set("usage", MessageJson.write(closed.usage()));
        cause(out, closed.cause());
      }
    }
    return Json.of(out);
  }

  static void cause(ObjectNode out, @Nullable Kind cause) {
    if (cause != null) {
      out.put("cause", cause.word());
    }
  }

  static @Nullable Kind cause(JsonNode in) {
    String word = in.path("cause").asString("");
    return word.isEmpty() ? null : Kind.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static void messages(ObjectNode out, List<Message> messages) {
    messages.forEach(message -> out.withArray("messages").add(MessageJson.write(message)));
  }

  private static void texts(ObjectNode out, String name, List<String> texts) {
    texts.forEach(text -> out.withArray(name).add(text));
  }

  private static ObjectNode write(LoopDecision decision) {
    ObjectNode out = Codec.object();
    switch (decision) {
      case LoopDecision.Continue(List<String> required) ->
          texts(out.put("type", "continue"), "tools", required);
      case LoopDecision.Remind(int strength, List<String> tools, String text) ->
          texts(
              out.put("type", "remind").put("strength", strength).put("text", text),
              "tools",
              tools);
      case LoopDecision.Force(List<String> tools, StopReason then, String message) -> {
        texts(out.put("type", "force").put("then", then.word()), "tools", tools);
        message(out, message);
      }
      case LoopDecision.Exit(StopReason reason, List<String> unmet, String message) -> {
        texts(out.put("type", "exit").put("reason", reason.word()), "tools", unmet);
        message(out, message);
      }
    }
    return out;
  }

  private static void message(ObjectNode out, @Nullable String message) {
    if (message != null) {
      out.put("message", message);
    }
  }

  /// When the line was written.
  static Instant at(Json json) {
    return Instant.parse(json.tree().path("at").asString());
  }

  /// What that line of the conversation says.
  ///
  /// @throws IllegalStateException when it cannot be read
  static TranscriptEntry read(String conversation, Line line) {
    try {
      return UnreadableException.guarded(line.entry(), VERSION, TranscriptEntryJson::entry);
    } catch (UnreadableException e) {
      throw new IllegalStateException(
          "Conversation '%s': its line '%s' %s."
              .formatted(conversation, line.key(), e.getMessage()),
          e);
    }
  }

  private static TranscriptEntry entry(JsonNode in) {
    String text = in.path("text").asString("");
    return switch (in.path("type").asString("")) {
      case "greeted" -> new TranscriptEntry.Greeted(text);
      case "said" ->
          new TranscriptEntry.Said(in.path("input").asString(""), text, in.path("turn").asInt(1));
      case "called" -> new TranscriptEntry.Called(messages(in));
      case "replied" ->
          new TranscriptEntry.Replied(MessageJson.readReply(in.path("reply")), texts(in, "ids"));
      case "failed" -> new TranscriptEntry.Failed(reason(in, "reason"), text, cause(in));
      case "ended" -> new TranscriptEntry.Ended(messages(in), decision(in.path("decision")));
      case "closed" ->
          new TranscriptEntry.Closed(
              reason(in, "reason"),
              text,
              texts(in, "unmet"),
              MessageJson.readUsage(in.path("usage")),
              cause(in));
      default -> throw new IllegalArgumentException("is no line of a transcript");
    };
  }

  private static LoopDecision decision(JsonNode in) {
    List<String> tools = texts(in, "tools");
    JsonNode words = in.path("message");
    String message = words.isString() ? words.stringValue() : null;
    return switch (in.path("type").asString("")) {
      case "continue" -> new LoopDecision.Continue(tools);
      case "remind" ->
          new LoopDecision.Remind(
              in.path("strength").asInt(1), tools, in.path("text").asString(""));
      case "force" -> new LoopDecision.Force(tools, reason(in, "then"), message);
      case "exit" -> new LoopDecision.Exit(reason(in, "reason"), tools, message);
      default -> throw new IllegalArgumentException("is no line of a transcript");
    };
  }

  static StopReason reason(JsonNode in, String name) {
    return StopReason.valueOf(in.path(name).asString("").toUpperCase(Locale.ROOT));
  }

  private static List<Message> messages(JsonNode in) {
    return in.path("messages").valueStream().map(MessageJson::read).toList();
  }

  static List<String> texts(JsonNode in, String name) {
    return in.path(name).valueStream().map(JsonNode::asString).toList();
  }
}
