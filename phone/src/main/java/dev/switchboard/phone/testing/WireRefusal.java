package dev.switchboard.phone.testing;

/// Why a simulated provider refuses a message.
///
/// @param param what of the message it is about
record WireRefusal(String code, String sentence, String param) {
  /// A value that is not one of those that may be.
  static WireRefusal value(String param) {
    return new WireRefusal("invalid_value", "Invalid value of '" + param + "'.", param);
  }
}
