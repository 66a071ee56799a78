package dev.switchboard.text;

import java.util.regex.Pattern;

/// Phone numbers: `+` and 7 to 15 digits (ITU-T E.164).
public final class PhoneNumber {
  private static final Pattern FORM = Pattern.compile("\\+[0-9]{7,15}");

  private PhoneNumber() {}

  /// Whether a text is a phone number.
  public static boolean is(String text) {
    return FORM.matcher(text).matches();
  }

  /// A number, or any text in its place, with all but its last four characters hidden.
  public static String masked(String number) {
    return number.length() <= 4 ? "***" : "***" + number.substring(number.length() - 4);
  }

  /// A text with every phone number in it masked.
  public static String maskedIn(String text) {
    return FORM.matcher(text).replaceAll(number -> masked(number.group()));
  }
}
