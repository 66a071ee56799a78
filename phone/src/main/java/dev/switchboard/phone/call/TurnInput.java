package dev.switchboard.phone.call;

/// The input of a turn of a call.
///
/// @param id unique in the call
/// @param words of the caller, or a sentence in their place
record TurnInput(String id, String words) {
  /// The placeholder for words that are not transcribed yet.
  static final String NOT_UNDERSTOOD = "(The caller said something that was not understood.)";

  /// The placeholder for the caller's words between two replies of the agent.
  static final String MORE = "(The agent goes on.)";

  static TurnInput ringing(String call) {
    return new TurnInput(call + "/ringing", "(The caller is on the line.)");
  }

  static TurnInput speech(String item) {
    return new TurnInput("speech/" + item, NOT_UNDERSTOOD);
  }

  static TurnInput speech(String item, String words) {
    return new TurnInput("speech/" + item, words);
  }

  static TurnInput keys(int number, String keys) {
    return new TurnInput("keys/" + number, "The caller pressed " + keys + " on the keypad.");
  }

  static TurnInput news(int number, String note) {
    return new TurnInput("news/" + number, note);
  }
}
