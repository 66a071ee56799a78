package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Span;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// A check that knows which end of a text more text may change, so that no more of a streamed reply
/// is held back than it needs.
interface Streamed extends Guardrail.Finder {
  /// The index from which on more text may make a match, or undo one; the length of the text if
  /// nothing is open.
  int settled(String text);

  /// A check of folded texts.
  ///
  /// @param open the index in the folded text from which on more text may change what is found
  static Streamed folded(Function<Folded, List<Span>> finder, ToIntFunction<Folded> open) {
    return new Streamed() {
      @Override
      public List<Span> find(String text) {
        return finder.apply(new Folded(text));
      }

      @Override
      public int settled(String text) {
        int whole = settled(new Folded(text));
        // A mark that follows may make another letter of the last one.
        int last = lastVisible(text);
        return last <= whole && last > 0
            ? Math.min(whole, settled(new Folded(text.substring(0, last))))
            : whole;
      }

      private int settled(Folded folded) {
        return folded.place(open.applyAsInt(folded));
      }
    };
  }

  /// The index of the last visible character, 0 for none.
  static int lastVisible(String text) {
    int at = text.length();
    while (at > 0) {
      int letter = text.codePointBefore(at);
      at -= Character.charCount(letter);
      if (!Folded.isUnseen(letter)) {
        return at;
      }
    }
    return 0;
  }
}
