package dev.switchboard.text;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Splits texts into words for indexing and search in every store. Any text is a valid query, and
/// gives the same hits in every store.
///
/// A word is a run of letters and digits, without case and accents. Meaningful signs, such as the
/// `+` of `C++` or an emoji, are words of one character. In scripts without spaces, each three
/// characters are a word.
public final class Words {
  /// The maximum number of indexed words of a text.
  private static final int MOST = 16_000;

  private static final int MOST_CHARACTERS = 200_000;
  private static final int LONGEST = 64;
  private static final int LONGEST_PHRASE = 16;
  private static final int MOST_PHRASES = 64;
  private static final int GRAM = 3;
  private static final Pattern MANY_MARKS = Pattern.compile("(\\p{M}{30})\\p{M}++");
  private static final String SIGNS = "+#$";
  private static final int FRACTION = '\u2044'; // the slash in a normalized ½
  private static final String CONNECTORS = ".@-_'’\u200D";
  private static final String CONNECTORS_OF_DIGITS = ":/,\u2044";

  private Words() {}

  /// Consecutive words to search for.
  ///
  /// @param begins whether the last one is a prefix
  public record Phrase(List<String> words, boolean begins) {
    public Phrase {
      words = List.copyOf(words);
    }

    /// How often it occurs in these words.
    public int count(List<String> text) {
      int count = 0;
      for (int at = 0; at + words.size() <= text.size(); at++) {
        count += standsAt(text, at) ? 1 : 0;
      }
      return count;
    }

    private boolean standsAt(List<String> text, int at) {
      int last = words.size() - 1;
      return text.subList(at, at + last).equals(words.subList(0, last))
          && (begins
              ? text.get(at + last).startsWith(words.get(last))
              : text.get(at + last).equals(words.get(last)));
    }
  }

  /// The searchable words of a text; a very long text is cut.
  public static List<String> of(String text) {
    List<String> words = new ArrayList<>();
    int characters = 0;
    for (Piece piece : pieces(text)) {
      for (String word : piece.unspaced ? grams(piece.text, 1) : List.of(piece.text)) {
        characters += word.length();
        if (words.size() == MOST || characters > MOST_CHARACTERS) {
          return words;
        }
        words.add(word);
      }
    }
    return words;
  }

  /// The phrases that a query searches for, each once; a very long query is cut. Any of them makes
  /// a hit, more of them a better one. Empty if the text has no words.
  public static List<Phrase> sought(String query) {
    List<Phrase> phrases = new ArrayList<>();
    List<String> joined = new ArrayList<>();
    for (Piece piece : pieces(query)) {
      if (piece.unspaced || !piece.joined || joined.size() == LONGEST_PHRASE) {
        end(joined, phrases);
      }
      if (piece.unspaced) {
        phrases.addAll(unspaced(piece.text));
      } else {
        joined.add(piece.text);
      }
    }
    end(joined, phrases);
    return phrases.stream().distinct().limit(MOST_PHRASES).toList();
  }

  private static void end(List<String> joined, List<Phrase> phrases) {
    if (!joined.isEmpty()) {
      phrases.add(new Phrase(joined, false));
      joined.clear();
    }
  }

  private static List<Phrase> unspaced(String run) {
    int length = run.codePointCount(0, run.length());
    if (length < GRAM) {
      return List.of(new Phrase(List.of(run), true));
    }
    List<String> grams = grams(run, GRAM);
    return length == GRAM + 1
        ? List.of(new Phrase(grams, false))
        : grams.stream().map(gram -> new Phrase(List.of(gram), false)).toList();
  }

  /// The three characters from each position; at the end fewer, but at least that many.
  private static List<String> grams(String run, int least) {
    int[] characters = run.codePoints().toArray();
    List<String> grams = new ArrayList<>();
    for (int at = 0; at + least <= characters.length; at++) {
      grams.add(new String(characters, at, Math.min(GRAM, characters.length - at)));
    }
    return grams;
  }

  /// @param unspaced whether it is a run of a script without spaces
  /// @param joined whether nothing separates it from the piece before
  private record Piece(String text, boolean unspaced, boolean joined) {}

  private static List<Piece> pieces(String text) {
    Cutter cutter = new Cutter();
    // Ordering many combining marks takes quadratic time.
    String bounded = MANY_MARKS.matcher(text).replaceAll("$1");
    Normalizer.normalize(bounded, Normalizer.Form.NFKC)
        .toLowerCase(Locale.ROOT)
        .codePoints()
        .forEach(cutter::take);
    cutter.end();
    return cutter.pieces;
  }

  private static final class Cutter {
    final List<Piece> pieces = new ArrayList<>();
    private final StringBuilder run = new StringBuilder();
    private boolean unspaced;
    private boolean joined;

    void take(int character) {
      if (isMark(character)) {
        return;
      }
      if (isUnspaced(character)) {
        add(character, true);
      } else if (isOfWord(character)) {
        add(plain(character), false);
      } else {
        boolean connects = connects(character);
        end();
        if (isSign(character)) {
          run.appendCodePoint(character);
          end();
        } else if (!connects) {
          joined = false;
        }
      }
    }

    private boolean connects(int character) {
      boolean afterDigit = !run.isEmpty() && Character.isDigit(run.codePointBefore(run.length()));
      return CONNECTORS.indexOf(character) >= 0
          || afterDigit && CONNECTORS_OF_DIGITS.indexOf(character) >= 0;
    }

    private void add(int character, boolean ofUnspaced) {
      if (unspaced != ofUnspaced) {
        end();
      }
      unspaced = ofUnspaced;
      if (unspaced || run.length() < LONGEST) {
        run.appendCodePoint(character);
      }
    }

    void end() {
      if (!run.isEmpty()) {
        pieces.add(new Piece(run.toString(), unspaced, joined));
        run.setLength(0);
        joined = true;
      }
      unspaced = false;
    }
  }

  private static boolean isOfWord(int character) {
    int type = Character.getType(character);
    return Character.isLetterOrDigit(character)
        || type == Character.LETTER_NUMBER
        || type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK;
  }

  /// Whether it is a combining mark of no particular script: an accent, or a variation selector of
  /// emoji.
  private static boolean isMark(int character) {
    int type = Character.getType(character);
    return (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK)
        && UnicodeScript.of(character) == UnicodeScript.INHERITED;
  }

  private static boolean isSign(int character) {
    return switch (Character.getType(character)) {
      case Character.MATH_SYMBOL,
          Character.CURRENCY_SYMBOL,
          Character.MODIFIER_SYMBOL,
          Character.OTHER_SYMBOL ->
          character > 127 && character != FRACTION || SIGNS.indexOf(character) >= 0;
      default -> character == '#';
    };
  }

  private static boolean isUnspaced(int character) {
    if (character < 0x0E00 || !isOfWord(character)) {
      return false;
    }
    return switch (UnicodeScript.of(character)) {
      case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, THAI, LAO, KHMER, MYANMAR -> true;
      default -> character == 'ー';
    };
  }

  private static int plain(int character) {
    if (character < 128) {
      return character;
    }
    UnicodeScript script = UnicodeScript.of(character);
    return script == UnicodeScript.LATIN || script == UnicodeScript.GREEK
        ? Normalizer.normalize(Character.toString(character), Normalizer.Form.NFD).codePointAt(0)
        : character;
  }
}
