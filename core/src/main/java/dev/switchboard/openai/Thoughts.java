package dev.switchboard.openai;

import java.util.List;

/// Leaves out what a model thinks before it answers, where a server sends it as the beginning of
/// the text: `<think>..</think>`. What it thinks is neither shown nor sent back.
final class Thoughts {
  private static final List<String> BEGINS = List.of("<think>", "<thinking>");
  private static final int LONGEST_SPACE = 1_000;

  private enum State {
    /// Nothing but white space, or part of a tag.
    BEFORE,
    WITHIN,
    /// White space after the thoughts.
    BETWEEN,
    AFTER
  }

  private final StringBuilder held = new StringBuilder();
  private State state = State.BEFORE;
  private String end = "";

  /// What of the text so far can be shown, after the part before.
  String shown(String more) {
    if (state == State.AFTER) {
      return more;
    }
    held.append(more);
    if (state == State.BEFORE) {
      begin();
    }
    if (state == State.WITHIN) {
      int at = held.indexOf(end);
      if (at < 0) {
        // The end may be split.
        held.delete(0, Math.max(0, held.length() - end.length() + 1));
        return "";
      }
      held.delete(0, at + end.length());
      state = State.BETWEEN;
    }
    if (state == State.BETWEEN) {
      String rest = held.toString().stripLeading();
      if (rest.isEmpty()) {
        held.setLength(0);
        return "";
      }
      held.setLength(0);
      held.append(rest);
      state = State.AFTER;
    }
    return state == State.AFTER ? rest() : "";
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
      state = State.AFTER;
    }
  }

  /// What was held back at the end; thoughts without an end are not shown.
  String rest() {
    String rest = state == State.WITHIN || state == State.BETWEEN ? "" : held.toString();
    held.setLength(0);
    return rest;
  }
}
