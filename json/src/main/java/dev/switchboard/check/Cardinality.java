package dev.switchboard.check;

import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;

/// The allowed number of items, members or characters.
record Cardinality(int least, int most) {
  static final Cardinality ANY = new Cardinality(0, Integer.MAX_VALUE);

  /// The values of these two keywords of a schema.
  static Cardinality of(JsonNode schema, String least, String most) {
    boolean any = !schema.has(least) && !schema.has(most);
    return any ? ANY : of(schema, least, most, 0);
  }

  /// The values of these two keywords of a schema, with this default for the first.
  static Cardinality of(JsonNode schema, String least, String most, int otherwise) {
    return new Cardinality(count(schema, least, otherwise), count(schema, most, Integer.MAX_VALUE));
  }

  private static int count(JsonNode schema, String keyword, int otherwise) {
    JsonNode value = schema.get(keyword);
    if (value == null) {
      return otherwise;
    }
    return value.decimalValue().min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
  }

  boolean isAny() {
    return least == 0 && most == Integer.MAX_VALUE;
  }

  boolean admits(int count) {
    return count >= least && count <= most;
  }

  /// For example `array of 1 to 3 items`.
  ///
  /// @param part the singular of the parts
  String describe(String thing, String part, String parts) {
    String count =
        most == Integer.MAX_VALUE
            ? "at least " + least
            : least == 0 ? "at most " + most : least == most ? "" + least : least + " to " + most;
    int last = most == Integer.MAX_VALUE ? least : most;
    return thing + " of " + count + " " + (last == 1 ? part : parts);
  }
}
