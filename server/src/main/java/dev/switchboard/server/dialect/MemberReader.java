package dev.switchboard.server.dialect;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Durations;
import dev.switchboard.text.Surrogates;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads members of clients' input, each with its required type.
public final class MemberReader {
  /// The maximum characters of a user's message.
  static final int LONGEST_TEXT = 100_000;

  private static final Pattern CONVERSATION = Pattern.compile("[A-Za-z0-9_.:~-]{1,128}");
  private static final int LONGEST_ID = 256;

  private MemberReader() {}

  /// The object in a body; an unpaired surrogate becomes U+FFFD.
  ///
  /// @throws BadRequestException when it is not one
  static JsonNode object(String body) {
    JsonNode tree;
    try {
      tree = tree(body);
    } catch (JsonException e) {
      throw BadRequestException.of("The body " + e.getMessage() + ".");
    }
    if (!tree.isObject()) {
      throw BadRequestException.of("The body must be a JSON object.");
    }
    return tree;
  }

  private static JsonNode tree(String body) {
    try {
      return Json.text(body).tree();
    } catch (JsonException half) {
      return Json.text(Surrogates.repaired(Json.of(Json.piece(body)).text())).tree();
    }
  }

  /// A conversation's id.
  static String conversation(JsonNode id, String name) {
    if (id.isString() && CONVERSATION.matcher(id.stringValue()).matches()) {
      return id.stringValue();
    }
    throw BadRequestException.of(
        "`%s` must be 1 to 128 letters, digits, '_', '.', ':' or '-'.".formatted(name));
  }

  /// An id of the client.
  static String id(JsonNode id, String name) {
    String text = id.asString("");
    if (id.isString()
        && !text.isBlank()
        && text.length() <= LONGEST_ID
        && text.chars().noneMatch(Character::isISOControl)) {
      return text;
    }
    throw BadRequestException.of(
        "`%s` must be a text of 1 to %d characters.".formatted(name, LONGEST_ID));
  }

  /// Whether the member is true; a missing or null one is false.
  static boolean flag(JsonNode object, String name) {
    JsonNode flag = object.path(name);
    if (flag.isBoolean()) {
      return flag.booleanValue();
    }
    if (flag.isMissingNode() || flag.isNull()) {
      return false;
    }
    throw BadRequestException.of("`%s` must be true or false.".formatted(name));
  }

  /// The elements of a list; none if it is missing or null.
  static List<JsonNode> list(JsonNode object, String name) {
    JsonNode list = object.path(name);
    if (list.isMissingNode() || list.isNull()) {
      return List.of();
    }
    if (!list.isArray()) {
      throw BadRequestException.of("`%s` must be a list.".formatted(name));
    }
    return list.valueStream().toList();
  }

  /// The text of a message, a string or a list of text parts.
  static String words(JsonNode content, String name) {
    if (content.isString()) {
      return checked(content.stringValue(), name);
    }
    if (!content.isArray()) {
      throw BadRequestException.of("`%s` must be a text or a list of text parts.".formatted(name));
    }
    StringBuilder words = new StringBuilder();
    for (JsonNode part : content) {
      if (!part.path("type").asString("").equals("text") || !part.path("text").isString()) {
        throw BadRequestException.of("`%s` may have text parts only.".formatted(name));
      }
      words.append(part.path("text").stringValue());
    }
    return checked(words.toString(), name);
  }

  /// The user's text, which must not be blank or too long.
  ///
  /// @throws BadRequestException when it is
  public static String checked(String words, String name) {
    if (words.isBlank()) {
      throw BadRequestException.of("`%s` has no words.".formatted(name));
    }
    if (words.length() > LONGEST_TEXT) {
      throw BadRequestException.of(
          "`%s` has more than %d characters.".formatted(name, LONGEST_TEXT));
    }
    return words;
  }

  /// The request of that qualified id in that conversation.
  ///
  /// @return its own id; null if it does not belong to the conversation
  static @Nullable String request(String qualified, String conversation) {
    String request = ConsentRequest.requestOf(qualified);
    boolean ours = conversation.equals(ConsentRequest.conversationOf(qualified));
    return ours && !request.isEmpty() ? request : null;
  }

  /// The answer in a payload: `approved`, and `editedArgs`, `always`, `for` or `reason`.
  ///
  /// @throws BadRequestException with the code `invalid_arguments`
  static Answer answer(JsonNode payload) {
    JsonNode approved = payload.path("approved");
    if (!approved.isBoolean()) {
      throw invalid("The answer needs `approved`, true or false.");
    }
    if (!approved.booleanValue()) {
      return Answer.deny(payload.path("reason").asString(""));
    }
    JsonNode edited = payload.path("editedArgs");
    Answer.Approved answer = lasting(payload);
    if (edited.isMissingNode() || edited.isNull()) {
      return answer;
    }
    if (!edited.isObject()) {
      throw invalid("`editedArgs` must be an object.");
    }
    return answer.with(Json.of(edited));
  }

  private static Answer.Approved lasting(JsonNode payload) {
    if (payload.path("always").asBoolean(false)) {
      return Answer.approveAlways();
    }
    JsonNode length = payload.path("for");
    if (length.isMissingNode() || length.isNull()) {
      return Answer.approveOnce();
    }
    Duration holds = length.isString() ? Durations.withUnit(length.stringValue()) : null;
    if (holds == null) {
      throw invalid("`for` must be a duration such as \"10m\".");
    }
    return Answer.approveFor(holds);
  }

  private static BadRequestException invalid(String sentence) {
    return new BadRequestException("invalid_arguments", null, sentence);
  }
}
