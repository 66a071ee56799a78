package dev.switchboard.cli.chat;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a person means who is asked whether a call may run.
public enum YesOrNo {
  /// Yes, this once.
  YES,
  /// Yes, and similar calls too.
  ALWAYS,
  /// No.
  NO;

  private static final Set<String> SAY_YES =
      Set.of(
          "y",
          "yes",
          "yeah",
          "yep",
          "yup",
          "sure",
          "ok",
          "okay",
          "approve",
          "approved",
          "confirm",
          "confirmed",
          "agreed",
          "ahead",
          "course",
          "absolutely",
          "definitely");
  private static final Set<String> SAY_NO =
      Set.of(
          "n", "no", "nope", "nah", "not", "dont", "deny", "denied", "refuse", "reject", "stop",
          "cancel", "never");
  // What people say beside, which changes nothing.
  private static final Set<String> BESIDE =
      Set.of(
          "please", "thanks", "thank", "you", "do", "it", "that", "this", "go", "of", "fine",
          "good", "way", "now", "i", "am", "all", "right");
  private static final int LONGEST = 60;

  /// What that line means; null if it is not a plain yes or no, such as one with a condition.
  public static @Nullable YesOrNo of(String line) {
    List<String> words =
        line.length() > LONGEST
            ? List.of()
            : List.of(
                line.toLowerCase(Locale.ROOT)
                    .replaceAll("['\u2019]", "")
                    .replaceAll("[\\p{Punct}\\s]+", " ")
                    .strip()
                    .split(" "));
    boolean yes = words.stream().anyMatch(SAY_YES::contains);
    boolean no = words.stream().anyMatch(SAY_NO::contains);
    boolean always = words.contains("always");
    boolean plain =
        words.stream()
            .allMatch(word ->
                SAY_YES.contains(word)
                    || SAY_NO.contains(word)
                    || BESIDE.contains(word)
                    || word.equals("always"));
    if (!plain || yes && no || always && no) {
      return null;
    }
    return always ? ALWAYS : yes || doIt(words) ? YES : no ? NO : null;
  }

  private static boolean doIt(List<String> words) {
    return words.contains("do")
        && words.contains("it")
        && words.stream().noneMatch(SAY_NO::contains);
  }
}
