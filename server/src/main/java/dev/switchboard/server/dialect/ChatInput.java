package dev.switchboard.server.dialect;

import dev.switchboard.model.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The request of a client of OpenAI's chat completions. Sampling options are ignored.
///
/// @param model the agent's name
/// @param conversation its id if the client names one, so that only the last message counts
/// @param messages of the user and the assistant in order, the last one the user's
/// @param stream whether the reply is streamed
/// @param wantsUsage whether a stream ends with the usage of the reply
public record ChatInput(
    String model,
    @Nullable String conversation,
    List<Message> messages,
    boolean stream,
    boolean wantsUsage) {
  private static final int LONGEST_NAME = 256;

  public ChatInput {
    messages = List.copyOf(messages);
  }

  /// The user's last message.
  public Message.User said() {
    return messages.getLast() instanceof Message.User said ? said : new Message.User("");
  }

  /// The input in a request's body.
  ///
  /// @param clientSystem whether system messages of the client are accepted
  /// @throws BadRequestException when it is invalid
  public static ChatInput read(String body, boolean clientSystem) {
    JsonNode input = MemberReader.object(body);
    checkSupported(input);
    String model = input.path("model").asString("");
    if (model.isBlank() || model.length() > LONGEST_NAME) {
      throw bad("model", "`model` must be the name of an agent.");
    }
    JsonNode named = input.path("metadata").path("conversation");
    String conversation =
        named.isMissingNode() || named.isNull()
            ? null
            : MemberReader.conversation(named, "metadata.conversation");
    boolean wantsUsage = MemberReader.flag(input.path("stream_options"), "include_usage");
    List<Message> messages = messages(input, clientSystem);
    return new ChatInput(
        model, conversation, messages, MemberReader.flag(input, "stream"), wantsUsage);
  }

  private static void checkSupported(JsonNode input) {
    for (String name : List.of("tools", "functions", "audio")) {
      JsonNode stated = input.path(name);
      if (!stated.isMissingNode() && !stated.isNull() && !(stated.isArray() && stated.isEmpty())) {
        throw unsupported(name, "is not supported: the agent has its own");
      }
    }
    if (input.path("n").asInt(1) != 1) {
      throw unsupported("n", "may be 1 only");
    }
    if (!input.path("response_format").path("type").asString("text").equals("text")) {
      throw unsupported("response_format", "may be text only");
    }
    if (MemberReader.flag(input, "logprobs")) {
      throw unsupported("logprobs", "is not supported");
    }
    if (MemberReader.list(input, "modalities").stream()
        .anyMatch(modality -> modality.asString("").equals("audio"))) {
      throw unsupported("modalities", "may be text only");
    }
  }

  private static BadRequestException unsupported(String name, String why) {
    return new BadRequestException("unsupported_parameter", name, "`%s` %s.".formatted(name, why));
  }

  private static BadRequestException bad(String name, String sentence) {
    return new BadRequestException("bad_request", name, sentence);
  }

  private static List<Message> messages(JsonNode input, boolean clientSystem) {
    List<Message> messages = new ArrayList<>();
    for (JsonNode message : MemberReader.list(input, "messages")) {
      String role = message.path("role").asString("").toLowerCase(Locale.ROOT);
      switch (role) {
        case "user" -> messages.add(Parts.ofChat(message.path("content")));
        case "assistant" -> {
          JsonNode content = message.path("content");
          boolean silent = content.isMissingNode() || content.isNull();
          if (!silent && !content.asString("-").isEmpty()) {
            messages.add(new Message.Assistant(words(message), List.of()));
          }
        }
        case "system", "developer" -> {
          if (!clientSystem) {
            throw bad(
                "messages",
                "Messages of the role '"
                    + role
                    + "' are not taken here: start the server with --client-system to take them.");
          }
          messages.add(new Message.System(words(message)));
        }
        default -> throw bad("messages", "`role` must be \"user\" or \"assistant\".");
      }
    }
    if (messages.isEmpty() || !(messages.getLast() instanceof Message.User)) {
      throw bad("messages", "The last of `messages` must be the user's.");
    }
    return messages;
  }

  private static String words(JsonNode message) {
    return MemberReader.words(message.path("content"), "content");
  }
}
