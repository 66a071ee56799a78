package dev.switchboard.cli.demo;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A model that reads the remaining time of an open breaker rounded to tens of seconds, so that its
/// requests are the same in every run, and can be recorded.
record Rounded(ChatModel model) implements ChatModel {
  private static final Pattern MILLIS = Pattern.compile("(?<=\"retry_after_ms\":)\\d+");
  private static final Pattern SECONDS = Pattern.compile("(?<=try again in )\\d+(?= s)");

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    return model.reply(
        request.withMessages(request.messages().stream().map(Rounded::rounded).toList()), stream);
  }

  private static Message rounded(Message message) {
    return message instanceof Message.Result(var id, var tool, var text, var success)
        ? new Message.Result(id, tool, rounded(text), success)
        : message;
  }

  private static String rounded(String text) {
    String millis = MILLIS.matcher(text).replaceAll(found -> up(found, 10_000));
    return SECONDS.matcher(millis).replaceAll(found -> up(found, 10));
  }

  private static String up(MatchResult found, long step) {
    return String.valueOf(Math.ceilDiv(Long.parseLong(found.group()), step) * step);
  }

  @Override
  public boolean makes(ModelRequest.ReplyFormat format) {
    return model.makes(format);
  }

  @Override
  public String name() {
    return model.name();
  }
}
