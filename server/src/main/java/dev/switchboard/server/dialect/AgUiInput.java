package dev.switchboard.server.dialect;

import dev.switchboard.consent.Answer;
import dev.switchboard.json.Json;
import dev.switchboard.loop.Input;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The request of a client of AG-UI, a `RunAgentInput`. Earlier messages, state and context are
/// ignored, since the conversation is stored here.
///
/// @param thread the conversation's id
/// @param run the client's id of the run
/// @param said the last message of the user, under its own id, which may be known; null for none
/// @param answers to requests of this conversation, which may be closed by now
/// @param begins what the run responds to, the id of the message or a digest of the answers, equal
///   for a repeated run; null if it begins nothing
/// @param notices sentences for the client about unused parts
public record AgUiInput(
    String thread,
    String run,
    Input.@Nullable Said said,
    List<Input.Answered> answers,
    @Nullable String begins,
    List<String> notices) {
  public AgUiInput {
    answers = List.copyOf(answers);
    notices = List.copyOf(notices);
  }

  /// The input in a request's body.
  ///
  /// @throws BadRequestException when it is invalid; with the code `invalid_arguments` for an
  ///   invalid answer, which is reported as `RUN_ERROR`
  public static AgUiInput read(String body) {
    JsonNode input = MemberReader.object(body);
    String thread = MemberReader.conversation(input.path("threadId"), "threadId");
    String run = MemberReader.id(input.path("runId"), "runId");
    List<String> notices = new ArrayList<>();
    if (!MemberReader.list(input, "tools").isEmpty()) {
      notices.add("The tools of the client are not used: the agent has its own.");
    }
    List<Input.Answered> answers = new ArrayList<>();
    for (JsonNode entry : MemberReader.list(input, "resume")) {
      String interrupt = MemberReader.id(entry.path("interruptId"), "interruptId");
      String request = MemberReader.request(interrupt, thread);
      if (request == null) {
        notices.add("No interrupt '" + interrupt + "' is open.");
      } else {
        answers.add(new Input.Answered(run + '/' + request, request, answer(entry)));
      }
    }
    Input.Said said = said(input);
    String begins = said == null ? null : said.id();
    if (!answers.isEmpty()) {
      begins = "answers/" + Json.of(input.path("resume")).digest();
    }
    return new AgUiInput(thread, run, said, answers, begins, notices);
  }

  private static Answer answer(JsonNode entry) {
    return switch (entry.path("status").asString("")) {
      case "resolved" -> MemberReader.answer(entry.path("payload"));
      case "cancelled" -> Answer.deny("abandoned");
      default -> throw BadRequestException.of("`status` must be \"resolved\" or \"cancelled\".");
    };
  }

  private static Input.@Nullable Said said(JsonNode input) {
    for (JsonNode message : MemberReader.list(input, "messages").reversed()) {
      if (message.path("role").asString("").equals("user")) {
        String id = MemberReader.id(message.path("id"), "id");
        return new Input.Said(id, Parts.ofAgUi(message.path("content")), null);
      }
    }
    return null;
  }
}
