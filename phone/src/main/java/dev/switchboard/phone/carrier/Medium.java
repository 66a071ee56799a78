package dev.switchboard.phone.carrier;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What travels between the carrier and a call's engine.
public sealed interface Medium {
  /// Audio, on an [AudioLine].
  record Audio() implements Medium {}

  /// Text, on a [TextLine]: the carrier hears and speaks.
  ///
  /// @param voice null for the carrier's default
  /// @param language of the caller and the voice, such as `en-US` (BCP 47)
  /// @param options of the carrier, by their names there
  record Text(@Nullable String voice, String language, Map<String, String> options)
      implements Medium {
    public Text {
      options = Map.copyOf(options);
    }
  }
}
