package dev.switchboard.agent;

import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;

/// How many tokens a request has, as far as that can be told without its model: one for 3
/// characters of text, 2,000 for an image, 3,000 for 100 KiB of a document.
final class TokenEstimate {
  /// The characters of a token.
  static final int CHARACTERS = 3;

  private static final int OF_MESSAGE = 8;
  private static final long OF_IMAGE = 2_000;
  private static final long OF_DOCUMENT = 3_000;
  private static final long DOCUMENT = 100 * 1024;

  private TokenEstimate() {}

  static long of(String text) {
    return text.length() / CHARACTERS;
  }

  static long of(ToolDefinition tool) {
    return OF_MESSAGE
        + of(tool.name())
        + of(tool.description())
        + tool.parameters().text().length() / CHARACTERS;
  }

  static long ofTools(List<ToolDefinition> tools) {
    return tools.stream().mapToLong(TokenEstimate::of).sum();
  }

  static long ofAll(List<Message> messages) {
    return messages.stream().mapToLong(TokenEstimate::of).sum();
  }

  static long of(Message message) {
    return OF_MESSAGE
        + switch (message) {
          case Message.System(String text) -> of(text);
          case Message.Notice(String text) -> of(text);
          case Message.User(String text, var files) ->
              of(text) + files.stream().mapToLong(TokenEstimate::of).sum();
          case Message.Assistant said ->
              of(said.text()) + said.calls().stream().mapToLong(TokenEstimate::of).sum();
          case Message.Result(String call, String tool, String text, boolean success) -> of(text);
        };
  }

  private static long of(RequestedCall call) {
    return OF_MESSAGE + of(call.name()) + of(call.arguments().text());
  }

  private static long of(Message.Attachment file) {
    String text = file.text();
    if (text != null) {
      return of(text);
    }
    return file.isImage() ? OF_IMAGE : OF_DOCUMENT * (1 + file.size() / DOCUMENT);
  }
}
