package dev.switchboard.schema;

/// How many items, members or characters there may be.
record Cardinality(int least, int most) {
  static final Cardinality ANY = new Cardinality(0, Integer.MAX_VALUE);

  boolean isAny() {
    return least == 0 && most == Integer.MAX_VALUE;
  }

  boolean admits(int count) {
    return count >= least && count <= most;
  }

  /// For example `array of 1 to 3 items`.
  String describe(String thing, String parts) {
    String count =
        most == Integer.MAX_VALUE
            ? "at least " + least
            : least == 0 ? "at most " + most : least + " to " + most;
    return thing + " of " + count + " " + parts;
  }
}
