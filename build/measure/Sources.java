import module java.base;

/// The sizes of Java sources, without those that only describe packages and modules.
///
/// @param lengths of each file, ascending
/// @param code lines that are not blank, nor a comment, an import or the name of the package
record Sources(List<Integer> lengths, int code) {
  private static final Pattern TEXT_OR_COMMENT =
      Pattern.compile(
          """
          (?s)\"""(?:[^"\\\\]|\\\\.|"(?!""))*+\"""|"(?:\\\\.|[^"\\\\])*+"|'(?:\\\\.|[^'\\\\])++'\
          |//[^\\n]*|/[*].*?[*]/\
          """);

  /// Reads every file below these folders.
  static Sources of(List<Path> folders) throws IOException {
    List<Integer> lengths = new ArrayList<>();
    int code = 0;
    for (Path folder : folders) {
      try (Stream<Path> paths = Files.walk(folder)) {
        for (Path path : paths.filter(Sources::counts).toList()) {
          String text = Files.readString(path);
          lengths.add((int) text.lines().count());
          code += (int) withoutComments(text).lines().filter(Sources::isCode).count();
        }
      }
    }
    lengths.sort(null);
    return new Sources(lengths, code);
  }

  private static boolean counts(Path path) {
    return path.toString().endsWith(".java") && !path.toString().endsWith("-info.java");
  }

  private static String withoutComments(String text) {
    return TEXT_OR_COMMENT
        .matcher(text)
        .replaceAll(
            found -> found.group().startsWith("/") ? "" : Matcher.quoteReplacement(found.group()));
  }

  private static boolean isCode(String line) {
    return !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package ");
  }

  int lines() {
    return lengths.stream().mapToInt(Integer::intValue).sum();
  }

  /// How many files have more lines than that.
  long longerThan(int most) {
    return lengths.stream().filter(length -> length > most).count();
  }

  int median() {
    return lengths.get(lengths.size() / 2);
  }
}
