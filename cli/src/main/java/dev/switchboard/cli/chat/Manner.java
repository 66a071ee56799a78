package dev.switchboard.cli.chat;

import dev.switchboard.tool.ToolResult;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How a chat goes about.
///
/// @param typed whether a person sits there, who is asked at once
/// @param remedy how the request of an id is answered from elsewhere; null if nothing is stored, so
///   that the end of the input denies it
/// @param late what bounds the time of a question to the model, a sentence
/// @param results the stored result of the call of an id, null if there is none yet
public record Manner(
    boolean typed,
    @Nullable UnaryOperator<String> remedy,
    String late,
    Function<String, @Nullable ToolResult> results) {
  /// That of a chat of which nothing is stored.
  public Manner(boolean typed, String late) {
    this(typed, null, late, id -> null);
  }

  /// The name of the one who runs this command, for the answers that they give.
  public static String person() {
    return System.getProperty("user.name", "");
  }
}
