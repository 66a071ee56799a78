package dev.switchboard.store;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A command of several that are done together in one trip to the database, or not at all.
///
/// @param text of which no part depends on the command before
/// @param locks whether it is a query of one number whose row no other transaction changes until
///   this one ends; otherwise it changes rows
/// @param returning the number that a change tells of its row, null for none
/// @param needed whether none of them are kept where this one finds or changes no row
/// @param values of the text's marks
record Command(
    String text,
    boolean locks,
    @Nullable String returning,
    boolean needed,
    List<@Nullable Object> values) {

  static Command change(String text, @Nullable Object... values) {
    return new Command(text, false, null, false, listed(values));
  }

  /// @param text a query of one number
  static Command lock(String text, @Nullable Object... values) {
    return new Command(text, true, null, false, listed(values));
  }

  private static List<@Nullable Object> listed(@Nullable Object[] values) {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  /// This one, which tells that number of the row it changes.
  Command telling(String number) {
    return new Command(text, locks, number, needed, values);
  }

  /// This one, without whose row none are kept.
  Command orNone() {
    return new Command(text, locks, returning, true, values);
  }

  /// What commands came to.
  ///
  /// @param missing the place of the one that was needed and had no row, counted from 0; -1 where
  ///   all is kept
  /// @param numbers what those before it told, in their order; empty for one that had no row, or
  ///   tells nothing
  record Outcome(int missing, List<OptionalLong> numbers) {
    boolean isKept() {
      return missing < 0;
    }
  }
}
