package dev.switchboard.memory;

import java.util.regex.Pattern;

/// The marks between which texts of others stand in a prompt, such as `<block>`: no text can forge
/// them. Immutable.
public final class Fence {
  // Possessive, so that the time a text takes grows with its length alone.
  private static final String NOTHING_SEEN = "[\\s\\p{Z}\\p{C}]*+";

  private final Pattern mark;

  private Fence(Pattern mark) {
    this.mark = mark;
  }

  /// The fence whose marks have these names.
  public static Fence of(String... names) {
    return new Fence(
        Pattern.compile(
            "<(?=%s/?+%s(?:%s))".formatted(NOTHING_SEEN, NOTHING_SEEN, String.join("|", names)),
            Pattern.CASE_INSENSITIVE));
  }

  /// The text, in which nothing begins a mark, whatever stands unseen within it.
  public String harmless(String text) {
    return mark.matcher(text).replaceAll("&lt;");
  }
}
