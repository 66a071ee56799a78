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
    List<Path> library = library(root);
    row("library: modules", "%d", library.size());
    methods.putAll(measure("library", library));
    methods.putAll(measure("cli", List.of(root.resolve("cli"))));
    if (library.size() > 1) {
      for (Path module : library) {
        row(
            "lines of " + module.getFileName(),
            "%,d",
            Sources.of(List.of(module.resolve("src/main/java"))).lines());
      }
    }
    Trace.of(root).forEach((name, rounds) -> trip(name, Trip.of(rounds, methods)));
  }

  /// The folders of the modules that the library is made of; of one in older checkouts.
  private static List<Path> library(Path root) {
    return Stream.of("core", "json", "tools", "agent", "store", "config")
        .map(root::resolve)
        .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
        .toList();
  }

  private Map<String, Classes.Method> measure(String part, List<Path> modules) throws IOException {
    Classes classes = Classes.of(modules);
    List<Path> sources = modules.stream().map(module -> module.resolve("src/main/java")).toList();
    size(part, Sources.of(sources), classes);
    knots(part, classes.uses());
    return classes.methods();
  }

  private void row(String name, String format, Object... figures) {
    rows.put(name, String.format(Locale.ROOT, format, figures));
  }

  private void size(String part, Sources sources, Classes classes) {
    row(part + ": files", "%,d", sources.lengths().size());
    row(part + ": types", "%,d", classes.named());
    row(part + ": public types", "%,d", classes.open());
    row(part + ": public types that are no members", "%,d", classes.openAlone());
    row(part + ": lines", "%,d", sources.lines());
    row(part + ": lines of code", "%,d", sources.code());
    row(part + ": lines of code a type", "%.1f", (double) sources.code() / classes.named());
    row(part + ": lines of the median file", "%,d", sources.median());
    row(part + ": lines of the longest file", "%,d", sources.lengths().getLast());
    row(
        part + ": files of more than 300 lines, 400",
        "%d, %d",
        sources.longerThan(300),
        sources.longerThan(400));
  }

  private void knots(String part, Map<String, Map<String, Set<String>>> packages) {
    Map<String, Knots> knots = new TreeMap<>();
    packages.forEach((name, uses) -> knots.put(name, Knots.of(uses)));
    row(
        part + ": files in circles of their package; arrows up",
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
