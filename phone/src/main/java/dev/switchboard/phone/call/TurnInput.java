package dev.switchboard.phone.call;

/// What begins a turn of a call.
///
/// @param id unique in the call
/// @param words of the caller, or a sentence in the place of such
record TurnInput(String id, String words) {
  /// What stands for words that are not understood yet.
  static final String NOT_UNDERSTOOD = "(The caller said something that was not understood.)";

  /// What stands for words that nobody said, before more of the agent's.
  static final String MORE = "(The agent goes on.)";

  static TurnInput ringing(String call) {
    return new TurnInput(call + "/ringing", "(The caller is on the line.)");
  }

  static TurnInput speech(String item) {
    return new TurnInput("speech/" + item, NOT_UNDERSTOOD);
  }

  static TurnInput keys(int number, String keys) {
    return new TurnInput("keys/" + number, "The caller pressed " + keys + " on the keypad.");
  }

  static TurnInput news(int number, String note) {
    return new TurnInput("news/" + number, note);
  }
}
