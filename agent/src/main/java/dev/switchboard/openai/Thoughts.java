package dev.switchboard.openai;

import java.util.List;

/// Leaves out what a model thinks before it answers, where a server sends it as the beginning of
/// the text: `<think>..</think>`. What it thinks is neither shown nor sent back.
///
/// Some servers leave out the opening tag, since it is part of their prompt. This is not known
/// before the closing tag: where it is expected, all text is held back until then.
final class Thoughts {
  private static final List<String> BEGINS = List.of("<think>", "<thinking>");
  private static final List<String> ENDS = List.of("</think>", "</thinking>");
  private static final String QUOTES = "`\"'";
  private static final int LONGEST_SPACE = 1_000;

  private enum State {
    /// Nothing but white space, or part of a tag.
    BEFORE,
    /// All of the text, which may be thoughts without an opening tag.
    UNOPENED,
    WITHIN,
    /// White space after the thoughts.
    BETWEEN,
    AFTER
  }

  private final StringBuilder held = new StringBuilder();
  private final boolean expected;
  private State state = State.BEFORE;
  private String end = "";
  private boolean ended;

  /// @param expected whether thoughts without an opening tag are expected
  Thoughts(boolean expected) {
    this.expected = expected;
  }

  /// What of the text so far can be shown, after the part before.
  String shown(String more) {
    if (state == State.AFTER) {
      return more;
    }
    int before = held.length();
    held.append(more);
    if (state == State.BEFORE) {
      begin();
    }
    if (state == State.UNOPENED) {
      end(Math.max(0, before - ENDS.getLast().length()));
    }
    if (state == State.WITHIN && !endWithin()) {
      return "";
    }
    if (state == State.BETWEEN) {
      String rest = held.toString().stripLeading();
      held.setLength(0);
      held.append(rest);
      state = rest.isEmpty() ? State.BETWEEN : State.AFTER;
    }
    return state == State.AFTER ? rest(false) : "";
  }

  private void begin() {
    String text = held.toString().stripLeading();
    for (String tag : BEGINS) {
      if (text.startsWith(tag)) {
        held.setLength(0);
        held.append(text, tag.length(), text.length());
        end = "</" + tag.substring(1);
        state = State.WITHIN;
        return;
      }
    }
    boolean open = BEGINS.stream().anyMatch(tag -> tag.startsWith(text));
    if (!open || held.length() > LONGEST_SPACE) {
      state = expected ? State.UNOPENED : State.AFTER;
    }
  }

  /// Ends thoughts without an opening tag, if their end is there.
  private void end(int from) {
    int at = unopenedEnd(held, from);
    if (at > 0) {
      held.delete(0, at);
      ended = true;
      state = State.BETWEEN;
    }
  }

  private boolean endWithin() {
    int at = held.indexOf(end);
    if (at < 0) {
      // The end may be split.
      held.delete(0, Math.max(0, held.length() - end.length() + 1));
      return false;
    }
    held.delete(0, at + end.length());
    ended = true;
    state = State.BETWEEN;
    return true;
  }

  /// What was held back at the end; thoughts without an end are not shown.
  ///
  /// @param cut whether the reply was cut off
  String rest(boolean cut) {
    boolean thinks =
        state == State.WITHIN || state == State.BETWEEN || state == State.UNOPENED && cut;
    String rest = thinks ? "" : held.toString();
    held.setLength(0);
    return rest;
  }

  /// The whole text without thoughts that have no opening tag.
  String answer(StringBuilder whole) {
    int at = ended ? -1 : unopenedEnd(whole, 0);
    return at < 0 ? whole.toString() : whole.substring(at).stripLeading();
  }

  /// The index after the first closing tag that is not quoted, if no opening one is before it; -1
  /// for none.
  private static int unopenedEnd(StringBuilder text, int from) {
    int first = -1;
    for (String tag : ENDS) {
      int at = text.indexOf(tag, from);
      while (at > 0 && QUOTES.indexOf(text.charAt(at - 1)) >= 0) {
        at = text.indexOf(tag, at + 1);
      }
      first = at >= 0 && (first < 0 || at + tag.length() < first) ? at + tag.length() : first;
    }
    int end = first;
    return end >= 0 && BEGINS.stream().noneMatch(tag -> isBefore(text, tag, end)) ? end : -1;
  }

  private static boolean isBefore(StringBuilder text, String tag, int end) {
    int at = text.indexOf(tag);
    return at >= 0 && at < end;
  }
}
