package dev.switchboard.text;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/// The steps of JSON Pointers (RFC 6901).
public final class JsonPointer {
  private JsonPointer() {}

  /// The step to the member of that name.
  public static String step(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /// The name of the member to which that step leads.
  public static String name(String step) {
    return step.replace("~1", "/").replace("~0", "~");
  }

  /// The pointer, or a step of it, in the fragment of a URI, where it is percent-encoded; what is
  /// not encoded correctly is taken as it is.
  public static String decoded(String fragment) {
    try {
      return fragment.indexOf('%') < 0
          ? fragment
          : URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return fragment;
    }
  }
}
