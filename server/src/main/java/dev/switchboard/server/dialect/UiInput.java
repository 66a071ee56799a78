package dev.switchboard.server.dialect;

import dev.switchboard.consent.Answer;
import dev.switchboard.loop.Input;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The request of a client of the AI SDK: either a message of the user or answers to requests for
/// consent, only from its last message. The input of calls in it is ignored.
///
/// @param message the id of the last message: the input's, or that of the assistant's message that
///   continues
/// @param said the user's message under that id; null if there are answers
public record UiInput(
    String conversation, String message, Input.@Nullable Said said, List<Input.Answered> answers) {
  public UiInput {
    answers = List.copyOf(answers);
  }

  /// The input in a request's body.
  ///
  /// @throws BadRequestException when it is invalid
  public static UiInput read(String body) {
    JsonNode input = MemberReader.object(body);
    String conversation = MemberReader.conversation(input.path("id"), "id");
    if (!input.path("trigger").asString("submit-message").equals("submit-message")) {
      throw BadRequestException.of("`trigger` may be \"submit-message\" only.");
    }
    List<JsonNode> messages = MemberReader.list(input, "messages");
    if (messages.isEmpty()) {
      throw BadRequestException.of("`messages` is empty.");
    }
    JsonNode last = messages.getLast();
    String id = MemberReader.id(last.path("id"), "id");
    List<JsonNode> parts = MemberReader.list(last, "parts");
    return switch (last.path("role").asString("")) {
      case "user" ->
          new UiInput(conversation, id, new Input.Said(id, Parts.ofUi(parts), null), List.of());
      case "assistant" -> new UiInput(conversation, id, null, answers(parts, conversation));
      default -> throw BadRequestException.of("The last message must be the user's.");
    };
  }

  private static List<Input.Answered> answers(List<JsonNode> parts, String conversation) {
    List<Input.Answered> answers = new ArrayList<>();
    for (JsonNode part : parts) {
      if (part.path("state").asString("").equals("approval-responded")) {
        JsonNode approval = part.path("approval");
        String id = MemberReader.id(approval.path("id"), "approval.id");
        String request = MemberReader.request(id, conversation);
        if (request == null) {
          throw BadRequestException.of("The approval '" + id + "' is not of this conversation.");
        }
        answers.add(new Input.Answered(id, request, answer(approval)));
      }
    }
    if (answers.isEmpty()) {
      throw BadRequestException.of("The last message is the assistant's and answers no request.");
    }
    return answers;
  }

  private static Answer answer(JsonNode approval) {
    if (!approval.path("approved").isBoolean()) {
      throw BadRequestException.of("`approval.approved` must be true or false.");
    }
    return approval.path("approved").booleanValue()
        ? Answer.approveOnce()
        : Answer.deny(approval.path("reason").asString(""));
  }
}
