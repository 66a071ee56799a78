package dev.switchboard.bench;

import java.util.Locale;

/// A row of the table.
record Row(String what, String ours, String peer, String ratio) {
  /// Compares two costs of one call.
  static Row of(String what, Cost ours, Cost peer, Cost ratio) {
    return new Row(what, ours.figures(), peer.figures(), ratio.ratios());
  }

  /// Compares two numbers of this form.
  static Row of(String what, String form, double ours, double peer, double ratio) {
    return new Row(what, text(form, ours), text(form, peer), text("%.2f", ratio));
  }

  private static String text(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }

  String markdown() {
    return "| " + String.join(" | ", what, ours, peer, ratio) + " |";
  }
}
