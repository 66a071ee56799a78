import module java.base;

/// The figures of a checkout that is built, by the names of their rows.
///
/// Started from its source by `build/house`: `House.java true|false [HEADING ROOT] ...`, the first
/// of which tells whether the files of the trips are listed.
final class House {
  private static final Set<String> CENTRAL =
      Set.of("execution", "agent", "schema", "check", "attempt");

  private final String heading;
  private final Map<String, String> rows = new LinkedHashMap<>();
  private final List<String> circles = new ArrayList<>();
  private final List<String> ways = new ArrayList<>();

  private House(String heading) {
    this.heading = heading;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    List<House> houses = new ArrayList<>();
    for (int i = 1; i < args.length; i += 2) {
      House house = new House(args[i]);
      house.measure(Path.of(args[i + 1]));
      houses.add(house);
    }
    print("", houses, house -> house.heading);
    print("---", houses, _ -> "---:");
    for (String name : names(houses)) {
      print(name, houses, house -> house.rows.getOrDefault(name, ""));
    }
    System.out.printf("%nIn brackets: without %s.%n", String.join(", ", Trip.FOUNDATION));
    houses.forEach(house -> house.circles.forEach(System.out::println));
    if (Boolean.parseBoolean(args[0])) {
      houses.forEach(house -> house.ways.forEach(System.out::println));
    }
  }

  private static void print(String name, List<House> houses, Function<House, String> cell) {
    Stream<String> cells = Stream.concat(Stream.of(name), houses.stream().map(cell));
    System.out.println(cells.collect(Collectors.joining(" | ", "| ", " |")));
  }

  /// All rows; one that a house alone has stands after the one that precedes it there.
  private static List<String> names(List<House> houses) {
    List<String> names = new ArrayList<>();
    for (House house : houses) {
      int place = 0;
      for (String name : house.rows.keySet()) {
        if (!names.contains(name)) {
          names.add(place, name);
        }
        place = names.indexOf(name) + 1;
      }
    }
    return names;
  }

  private void measure(Path root) throws IOException, InterruptedException {
    Map<String, Classes.Method> methods = new HashMap<>();
    for (String module : modules(root)) {
      Path folder = root.resolve(module);
      Path sources = folder.resolve("src/main/java");
      Classes classes = Classes.of(folder.resolve("target/quick/classes"), sources);
      size(module, Sources.of(sources), classes);
      knots(module, classes.uses());
      methods.putAll(classes.methods());
    }
    Trace.of(root).forEach((name, rounds) -> trip(name, Trip.of(rounds, methods)));
  }

  private void row(String name, String format, Object... figures) {
    rows.put(name, String.format(Locale.ROOT, format, figures));
  }

  private void size(String module, Sources sources, Classes classes) {
    row(module + ": files", "%,d", sources.lengths().size());
    row(module + ": types", "%,d", classes.named());
    row(module + ": public types", "%,d", classes.open());
    row(module + ": public types that are no members", "%,d", classes.openAlone());
    row(module + ": lines", "%,d", sources.lines());
    row(module + ": lines of code", "%,d", sources.code());
    row(module + ": lines of code a type", "%.1f", (double) sources.code() / classes.named());
    row(module + ": lines of the median file", "%,d", sources.median());
    row(module + ": lines of the longest file", "%,d", sources.lengths().getLast());
  }

  private void knots(String module, Map<String, Map<String, Set<String>>> packages) {
    Map<String, Knots> knots = new TreeMap<>();
    packages.forEach((name, uses) -> knots.put(name, Knots.of(uses)));
    row(
        module + ": files in circles of their package; arrows up",
        "%d of %d; %d of %,d",
        sum(knots, Knots::knotted),
        sum(knots, Knots::files),
        sum(knots, Knots::up),
        sum(knots, Knots::arrows));
    knots.values().removeIf(one -> one.circles().isEmpty());
    knots.forEach((name, one) -> {
      Set<String> biggest = one.circles().getFirst();
      row(
          "package " + name + ": files in circles, in the biggest; arrows up",
          "%d of %d, %d; %d of %d",
          one.knotted(),
          one.files(),
          biggest.size(),
          one.up(),
          one.arrows());
      if (CENTRAL.contains(name)) {
        circles.add(list("the biggest circle", biggest));
      }
    });
  }

  private static int sum(Map<String, Knots> knots, ToIntFunction<Knots> figure) {
    return knots.values().stream().mapToInt(figure).sum();
  }

  private void trip(String name, Trip trip) {
    Trip above = trip.above();
    row(name + ": methods entered", "%,d", trip.entered());
    row(name + ": files entered", "%d", trip.files());
    row(name + ": files that decide", "%d (%d)", trip.deciding().size(), above.deciding().size());
    row(name + ": moves between those", "%d (%d)", trip.moves(), above.moves());
    row(name + ": returns to one already left", "%d (%d)", trip.returns(), above.returns());
    ways.add(list("what decides in a " + name, trip.deciding()));
  }

  private String list(String what, Set<String> files) {
    return "%n%s, %s: %s".formatted(heading, what, String.join(" ", files));
  }
}
