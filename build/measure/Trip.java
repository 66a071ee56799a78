import module java.base;

/// What a reader passes who follows a trip.
///
/// @param entered how many methods are entered
/// @param files how many files they lie in
/// @param stops the deciding files in the order of the way, none twice in a row
record Trip(int entered, int files, List<String> stops) {
  /// The packages whose files a reader of the way may leave out.
  static final List<String> FOUNDATION = List.of("text", "time", "json", "check", "schema");

  /// The middle one of several rounds, by the length of its way.
  static Trip of(List<List<String>> rounds, Map<String, Classes.Method> methods) {
    return rounds.stream()
        .map(round -> of(round.stream().map(methods::get).filter(Objects::nonNull).toList()))
        .sorted(Comparator.comparing(Trip::moves))
        .toList()
        .get(rounds.size() / 2);
  }

  private static Trip of(List<Classes.Method> entered) {
    return new Trip(
        entered.size(),
        (int) entered.stream().map(Classes.Method::file).distinct().count(),
        stops(entered.stream().filter(Classes.Method::decides).map(Classes.Method::file)));
  }

  private static List<String> stops(Stream<String> files) {
    List<String> stops = new ArrayList<>();
    files.forEach(file -> {
      if (stops.isEmpty() || !stops.getLast().equals(file)) {
        stops.add(file);
      }
    });
    return stops;
  }

  /// The way without the foundation.
  Trip above() {
    Stream<String> above =
        stops.stream().filter(file -> !FOUNDATION.contains(Classes.folder(file)));
    return new Trip(entered, files, stops(above));
  }

  /// The files that decide, in the order in which they are first entered.
  Set<String> deciding() {
    return new LinkedHashSet<>(stops);
  }

  int moves() {
    return stops.size() - 1;
  }

  /// How many moves lead to a file already left.
  int returns() {
    return stops.size() - deciding().size();
  }
}
