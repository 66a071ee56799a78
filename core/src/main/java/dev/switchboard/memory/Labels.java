package dev.switchboard.memory;

import dev.switchboard.check.Closest;
import java.util.List;

/// Labels in messages.
final class Labels {
  private static final int MOST = 20;

  private Labels() {}

  /// The rest of a message about an unknown label: the closest one, or all.
  static String closest(String label, List<String> labels) {
    List<String> closest = Closest.to(label, labels);
    if (!closest.isEmpty()) {
      return " Did you mean '" + String.join("' or '", closest) + "'?";
    }
    return labels.isEmpty()
        ? " There are no blocks."
        : " There are: '" + String.join("', '", labels.stream().limit(MOST).toList()) + "'.";
  }
}
