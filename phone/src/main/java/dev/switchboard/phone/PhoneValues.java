package dev.switchboard.phone;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.mount.PublicUrl;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Checks of values in the table `phone` of a file.
final class PhoneValues {
  private PhoneValues() {}

  /// Whether that name is one of these; reports it otherwise.
  static boolean isKnown(StatedValue value, String name, List<String> known) {
    if (!known.contains(name)) {
      String words = "'" + String.join("', '", known) + "'";
      value.bad(
          known.size() == 1
              ? "must be %s, not '%s'".formatted(words, name)
              : "must be one of %s, not '%s'%s".formatted(words, name, value.closest(name, known)));
    }
    return known.contains(name);
  }

  /// The text of a value, if it is valid; reports it otherwise.
  static @Nullable String checked(
      @Nullable StatedValue value, Predicate<String> good, String form) {
    String text = value == null ? null : value.filledText();
    if (value == null || text == null || good.test(text)) {
      return text;
    }
    value.bad("must be " + form + ", not '" + text + "'");
    return null;
  }

  /// Whether it is an `https` URL, or an `http` URL of this machine, without user and query.
  static boolean isPublic(String text) {
    try {
      PublicUrl unused = PublicUrl.of(text);
      return text.equals(text.strip());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
