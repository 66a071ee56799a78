package dev.switchboard.store;

/// How texts are written to a database.
enum Texts {
  /// Unchanged.
  PLAIN {
    @Override
    String encoded(String text) {
      return text;
    }

    @Override
    String decoded(String text) {
      return text;
    }
  },
  /// Without the character zero, which PostgreSQL refuses; lone surrogates, which UTF-8 cannot
  /// represent, are replaced.
  WITHOUT_ZERO {
    @Override
    String encoded(String text) {
      String escaped =
          text.indexOf(ESCAPE) < 0 && text.indexOf('\u0000') < 0
              ? text
              : text.replace(String.valueOf(ESCAPE), ESCAPE + "e").replace("\u0000", ESCAPE + "0");
      return escaped.chars().anyMatch(c -> Character.isSurrogate((char) c))
          ? escaped
              .codePoints()
              .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString()
          : escaped;
    }

    @Override
    String decoded(String text) {
      return text.indexOf(ESCAPE) < 0
          ? text
          : text.replace(ESCAPE + "0", "\u0000").replace(ESCAPE + "e", String.valueOf(ESCAPE));
    }
  };

  private static final char ESCAPE = '\uE000';

  abstract String encoded(String text);

  abstract String decoded(String text);
}
