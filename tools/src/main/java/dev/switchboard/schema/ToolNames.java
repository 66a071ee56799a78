package dev.switchboard.schema;

import dev.switchboard.text.InvisibleCharacters;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The names that tools may have.
public final class ToolNames {
  /// The call by which a person is asked whether a conversation may go on spending.
  public static final String CONTINUE_SPENDING = "continue_spending";

  /// The beginning of the ids of such calls, which no call of a model has.
  public static final String SPENDING_ID = "spend_";

  /// Names reserved for tools of hosts, such as the phone.
  public static final List<String> RESERVED = List.of("transfer_call", "end_call");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private static final Pattern STRANGE = Pattern.compile("[^A-Za-z0-9_-]");
  private static final int LONGEST_ORIGINAL = 200;

  private ToolNames() {}

  /// That name with every other character as `_`; it may still be too long or taken.
  public static String plain(String name) {
    return STRANGE.matcher(name).replaceAll("_");
  }

  /// A description that also states the name, of a tool or a parameter, that had to be changed: one
  /// line of at most 200 characters.
  ///
  /// @param original the name
  /// @param title that its author gave it, empty for none
  public static String withOriginalName(String description, String original, String title) {
    String more = title.isBlank() || title.equals(original) ? "" : " (" + title.strip() + ")";
    String begin = "Original name: ";
    String whole = begin + (original.isBlank() ? title.strip() : original + more);
    String line =
        InvisibleCharacters.line(whole.substring(0, Math.min(whole.length(), LONGEST_ORIGINAL)));
    int end = Math.min(line.length(), LONGEST_ORIGINAL);
    boolean splits = end > 0 && Character.isHighSurrogate(line.charAt(end - 1));
    String cut = line.substring(0, splits ? end - 1 : end);
    return description.isEmpty() ? cut : description + "\n" + cut;
  }

  /// Why no tool of an agent can have that name, a sentence; null if it can.
  public static @Nullable String fault(String name) {
    return fault(name, false);
  }

  /// Why no tool can have that name, a sentence; null if it can.
  ///
  /// @param ofHost whether it is a host's tool
  public static @Nullable String fault(String name, boolean ofHost) {
    if (!NAME.matcher(name).matches()) {
      return "tool '%s': the name must be 1 to 64 letters, digits, '_' or '-'".formatted(name);
    }
    return !ofHost && isReserved(name) ? "'%s' is a reserved name".formatted(name) : null;
  }

  /// Whether no tool of an agent can have that name, since a host or the runtime uses it.
  public static boolean isReserved(String name) {
    return RESERVED.contains(name) || name.equals(CONTINUE_SPENDING);
  }
}
