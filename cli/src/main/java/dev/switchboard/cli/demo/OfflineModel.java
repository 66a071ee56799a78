package dev.switchboard.cli.demo;

import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/// An offline model of the reservation agent: it knows a few keywords, and calls their tools.
final class OfflineModel implements ChatModel {
  private static final Pattern PIECES = Pattern.compile("(?<= )");
  private static final long PIECE_NANOS = 25_000_000;
  private static final String SLOT = "\"date\":\"2026-12-05\",\"time\":\"19:30\"";

  /// A keyword of the user, and its call.
  private record Cue(String word, String tool, String arguments) {}

  private static final List<Cue> CUES =
      List.of(
          new Cue("cancel", "cancel_reservation", "{\"reservation\":\"R1\"}"),
          new Cue("text me", "send_confirmation", "{\"text\":\"Your table is booked.\"}"),
          new Cue("message", "send_confirmation", "{\"text\":\"Your table is booked.\"}"),
          new Cue("menu", "suggest_menu", "{\"guests\":4,\"diet\":\"VEGETARIAN\"}"),
          new Cue("vegetarian", "suggest_menu", "{\"guests\":4,\"diet\":\"VEGETARIAN\"}"),
          new Cue(
              "sunday",
              "make_reservation",
              "{\"date\":\"2026-12-06\",\"time\":\"19:30\",\"table\":\"T12\",\"customer_name\":\"Ada\"}"),
          new Cue(
              "book",
              "make_reservation",
              "{" + SLOT + ",\"table\":\"T5\",\"customer_name\":\"Ada\"}"),
          new Cue("table", "check_availability", "{" + SLOT + ",\"party_size\":4}"));

  OfflineModel() {}

  @Override
  public String name() {
    return "offline demonstration";
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    return switch (latest(request.messages())) {
      case Message.Result result -> said(words(result), stream);
      case Message.User user -> toUser(user.text(), stream);
      case Message.System system -> said("How can I help?", stream);
      case Message.Assistant assistant -> said("Is there anything else?", stream);
      case Message.Notice notice -> said("Is there anything else?", stream);
    };
  }

  /// The latest message that needs a reply: a caller may speak before the agent has ended.
  private static Message latest(List<Message> messages) {
    for (Message message : messages.reversed()) {
      if (message instanceof Message.User || message instanceof Message.Result) {
        return message;
      }
    }
    return messages.getLast();
  }

  private static ModelReply toUser(String text, ReplyStream stream) {
    String asked = text.toLowerCase(Locale.ROOT);
    for (Cue cue : CUES) {
      if (asked.contains(cue.word)) {
        return ModelReply.calls(RequestedCall.of("", cue.tool, cue.arguments));
      }
    }
    return said(
        "I am a demonstration without a real model. Try: \"Do you have a table for four?\", \"Book"
            + " it\", \"What is on the menu?\", \"Text me that\" or \"Cancel my reservation\".",
        stream);
  }

  private static String words(Message.Result result) {
    if (!result.success()) {
      return result.text().contains("consent_denied")
          ? "That was denied, so I leave everything as it is."
          : "That did not work: I am sorry. I can try something else.";
    }
    return switch (result.tool()) {
      case "check_availability" ->
          "Yes: table T5 on the patio and table T12 inside are free on Saturday at 19:30. Shall I"
              + " book one?";
      case "make_reservation" ->
          "Table %s is booked, under the name Ada: reservation %s."
              .formatted(member(result, "table"), member(result, "reservation"));
      case "cancel_reservation" ->
          "Reservation %s is cancelled.".formatted(member(result, "cancelled"));
      case "suggest_menu" -> "The kitchen suggests pumpkin soup and mushroom risotto.";
      default -> "Done.";
    };
  }

  // The service's answer may be followed by a note about changed arguments.
  private static String member(Message.Result result, String member) {
    String answer = result.text().lines().findFirst().orElse("{}");
    return Json.text(answer).tree().path(member).asString("");
  }

  /// In fragments, like a model's text.
  private static ModelReply said(String text, ReplyStream stream) {
    PIECES
        .splitAsStream(text)
        .forEach(word -> {
          stream.text(word);
          LockSupport.parkNanos(PIECE_NANOS);
        });
    return ModelReply.text(text);
  }
}
