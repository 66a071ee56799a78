package dev.switchboard.cli.chat;

import dev.switchboard.tool.ToolResult;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The options of a chat.
///
/// @param typed whether a person types the input, and is asked at once
/// @param remedy how to answer the request of an id from elsewhere; null if nothing is stored, so
///   that the end of the input denies it
/// @param late a sentence about the limit of a model's reply
/// @param results the stored result of the call of an id, null if there is none yet
public record ChatOptions(
    boolean typed,
    @Nullable UnaryOperator<String> remedy,
    String late,
    Function<String, @Nullable ToolResult> results) {
  /// The options of a chat that is not stored.
  public ChatOptions(boolean typed, String late) {
    this(typed, null, late, id -> null);
  }

  /// The name of this command's user, as the approver.
  public static String person() {
    return System.getProperty("user.name", "");
  }
}
