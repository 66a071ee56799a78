package dev.switchboard.webhook;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The host names that are refused, whatever they resolve to.
final class BlockedNames {
  private static final Set<String> NAMES =
      Set.of(
          "localhost",
          "metadata",
          "metadata.google.internal",
          "metadata.goog",
          "metadata.azure.com",
          "instance-data",
          "host.docker.internal");
  private static final List<String> ENDINGS =
      List.of(".localhost", ".localdomain", ".local", ".internal");
  private static final List<String> BEGINNINGS = List.of("kubernetes.default");

  private BlockedNames() {}

  /// Why the canonical name is refused, or null.
  static @Nullable String refusal(String name) {
    if (NAMES.contains(name)) {
      return name + " is a name for inner services";
    }
    for (String ending : ENDINGS) {
      if (name.endsWith(ending)) {
        return name + " is a name for inner services (*" + ending + ")";
      }
    }
    for (String beginning : BEGINNINGS) {
      if (name.startsWith(beginning)) {
        return name + " is a name for inner services (" + beginning + "*)";
      }
    }
    return null;
  }
}
