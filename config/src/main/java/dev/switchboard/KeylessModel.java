package dev.switchboard;

import dev.switchboard.json.Codec;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.Provider;
import java.util.Locale;
import java.util.regex.Pattern;

/// A model that needs no key and no network, for a first look at an agent: it knows a few words,
/// calls the tools `get_date` and `block` at them, and says what it is. Thread-safe.
final class KeylessModel implements ChatModel {
  /// Its provider in agents' files.

  private static final Pattern DATE = Pattern.compile("\\b(date|day|today|time)\\b");

  private static final Pattern FACT =
      Pattern.compile("\\b(remember|note|my name is|i am|i'm|i like|i prefer)\\b");
  private static final String INTRODUCTION =
      "I am a script, not a language model: I know a few words, so that this agent answers without"
          + " a key. Ask me for the date, or tell me something to remember. To talk with a real"
          + " model, change the line that begins with 'model' in the agent's file.";
  private static final int LONGEST = 300;

  private final String name;

  KeylessModel(String name) {
    this.name = Provider.SCRIPTED.word() + ":" + name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    return switch (request.messages().getLast()) {
      case Message.Result result -> said(words(result), stream);
      case Message.User user -> answer(user.text(), request, stream);
      case Message.System system -> said(INTRODUCTION, stream);
      case Message.Assistant assistant -> said(INTRODUCTION, stream);
      case Message.Notice notice -> said(INTRODUCTION, stream);
    };
  }

  private static ModelReply answer(String text, ModelRequest request, ReplyStream stream) {
    String words = text.toLowerCase(Locale.ROOT);
    if (DATE.matcher(words).find() && offers(request, "get_date")) {
      return ModelReply.calls(RequestedCall.of("", "get_date", "{}"));
    }
    if (FACT.matcher(words).find() && offers(request, "block")) {
      String arguments =
          Codec.object()
              .put("operation", "append")
              .put("label", "user")
              .put("content", text.strip() + "\n")
              .toString();
      return ModelReply.calls(RequestedCall.of("", "block", arguments));
    }
    return said(INTRODUCTION, stream);
  }

  private static boolean offers(ModelRequest request, String tool) {
    return request.choice() != ModelRequest.ToolChoice.NONE
        && request.tools().stream().anyMatch(offered -> offered.name().equals(tool));
  }

  private static String words(Message.Result result) {
    String text = result.text();
    String cut = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    if (!result.success()) {
      return "The tool " + result.tool() + " has failed: " + cut;
    }
    return result.tool().equals("block")
        ? "I have written that into the memory of this agent: '/memory' shows it."
        : "The tool " + result.tool() + " says: " + cut;
  }

  private static ModelReply said(String text, ReplyStream stream) {
    stream.text(text);
    return ModelReply.text(text);
  }
}
