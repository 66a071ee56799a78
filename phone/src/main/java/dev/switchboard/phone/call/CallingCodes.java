package dev.switchboard.phone.call;

import java.util.Set;

/// Calling codes of countries (ITU-T E.164).
final class CallingCodes {
  // Codes of one and two digits; all others have three.
  private static final Set<String> SHORT =
      Set.of(
          "1", "7", "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44",
          "45", "46", "47", "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61",
          "62", "63", "64", "65", "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95",
          "98");

  private CallingCodes() {}

  /// The `+` and the calling code of that number.
  static String of(String number) {
    for (int digits = 1; digits < 3; digits++) {
      if (number.length() > digits && SHORT.contains(number.substring(1, digits + 1))) {
        return number.substring(0, digits + 1);
      }
    }
    return number.substring(0, Math.min(4, number.length()));
  }
}
