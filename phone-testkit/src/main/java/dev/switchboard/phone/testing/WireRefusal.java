package dev.switchboard.phone.testing;

/// Why a simulated provider refuses a message.
///
/// @param param the faulty member of the message
record WireRefusal(String code, String sentence, String param) {
  /// A value that is not allowed.
  static WireRefusal value(String param) {
    return new WireRefusal("invalid_value", "Invalid value of '" + param + "'.", param);
  }
}
