package dev.switchboard.rule;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How far back a rule looks.
public enum RuleScope {
  /// To the user's last sentence.
  TURN,
  /// To the beginning of the conversation.
  CONVERSATION,
  /// Over all conversations of the agent.
  AGENT;

  /// The word in a file, such as `turn`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The scope of that word, or null when there is none.
  public static @Nullable RuleScope ofWord(String word) {
    for (RuleScope scope : values()) {
      if (scope.word().equals(word)) {
        return scope;
      }
    }
    return null;
  }
}
