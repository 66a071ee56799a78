import module java.base;

/// The circles of the files of a package, the biggest first.
///
/// @param uses of each file, by name, the others that it uses
record Knots(Map<String, Set<String>> uses, List<Set<String>> circles) {
  static Knots of(Map<String, Set<String>> uses) {
    Map<String, Set<String>> reached = new TreeMap<>();
    for (String file : uses.keySet()) {
      reached.put(file, new TreeSet<>());
      reach(file, uses, reached.get(file));
    }
    Set<Set<String>> circles = new LinkedHashSet<>();
    reached.forEach((file, others) -> {
      Set<String> circle = new TreeSet<>(others);
      circle.removeIf(other -> !reached.get(other).contains(file));
      circles.add(circle);
    });
    return new Knots(
        uses,
        circles.stream()
            .filter(circle -> !circle.isEmpty())
            .sorted(Comparator.comparing(circle -> -circle.size()))
            .toList());
  }

  private static void reach(String file, Map<String, Set<String>> uses, Set<String> reached) {
    for (String used : uses.get(file)) {
      if (reached.add(used)) {
        reach(used, uses, reached);
      }
    }
  }

  int files() {
    return uses.size();
  }

  int arrows() {
    return uses.values().stream().mapToInt(Set::size).sum();
  }

  int knotted() {
    return circles.stream().mapToInt(Set::size).sum();
  }

  /// How many arrows run up when the files stand in floors, each above those that it uses. All of
  /// them lie within circles, since whole circles can stand in floors.
  int up() {
    return circles.stream().mapToInt(this::up).sum();
  }

  /// Takes the files of a circle away as Eades, Lin and Smyth do: first those that use nothing that
  /// is left, to the bottom, else the one that uses most more than it is used, to the top, to which
  /// arrows from what is left then run up.
  private int up(Set<String> circle) {
    Set<String> left = new TreeSet<>(circle);
    int up = 0;
    while (!left.isEmpty()) {
      if (!left.removeIf(file -> out(file, left) == 0)) {
        Comparator<String> unused = Comparator.comparing(file -> in(file, left) > 0);
        String next =
            Collections.min(left, unused.thenComparing(file -> in(file, left) - out(file, left)));
        up += in(next, left);
        left.remove(next);
      }
    }
    return up;
  }

  private int out(String file, Set<String> among) {
    return (int) uses.get(file).stream().filter(among::contains).count();
  }

  private int in(String file, Set<String> among) {
    return (int) among.stream().filter(user -> uses.get(user).contains(file)).count();
  }
}
