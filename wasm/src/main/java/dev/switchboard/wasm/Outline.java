package dev.switchboard.wasm;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The structure of a module, read before the library parses it. It checks the limits of every
/// number that the library would trust, and refuses what could exceed the limits of a call.
final class Outline {
  private static final byte[] MAGIC = {0, 'a', 's', 'm', 1, 0, 0, 0};
  private static final byte[] COMPONENT = {0, 'a', 's', 'm', 0x0d, 0, 1, 0};

  private static final int CUSTOM = 0;
  private static final int FUNCREF = 0x70;
  private static final int MOST_TYPES = 20_000;
  private static final int MOST_PARAMETERS = 250;
  private static final int MOST_IMPORTS = 200;
  private static final int MOST_FUNCTIONS = 100_000;
  private static final int MOST_GLOBALS = 10_000;
  private static final int MOST_EXPORTS = 10_000;
  private static final int MOST_SEGMENTS = 10_000;
  private static final int MOST_ELEMENTS = 100_000;
  private static final int MOST_MATCHES = 2 * MOST_FUNCTIONS;
  private static final long MOST_COMPARED = 100_000_000; // comparisons of types with functions
  private static final int MOST_LOCALS = 2_000_000; // of all functions

  private static final int LARGEST_METHOD = 65_535;
  private static final long COST_OF_INSTRUCTION = 128;
  private static final long COST_OF_LOCAL = 16;

  /// The maximum number of entries of all tables together.
  static final int MOST_ENTRIES = 100_000;

  /// The value types of a function's parameters and results, a letter each.
  record Signature(String parameters, String results) {}

  /// An import of the module; the signature is null if it is not a function.
  record Import(String module, String name, @Nullable Signature signature) {
    @Override
    public String toString() {
      return module + '.' + name;
    }
  }

  private final ByteArrayOutputStream plain = new ByteArrayOutputStream();
  private final List<Signature> types = new ArrayList<>();
  private final List<Import> imports = new ArrayList<>();
  private final List<Signature> functions = new ArrayList<>();
  private final Map<String, Integer> exported = new HashMap<>();
  private int pages;
  private int mostPages;
  private final Code code = new Code();
  private final Set<Integer> large = new HashSet<>();
  private int bodies;
  private long entries;
  private long locals;

  private Outline() {}

  /// The outline of a module.
  ///
  /// @throws IllegalArgumentException with a sentence that begins with `file`
  static Outline of(byte[] bytes) {
    if (bytes.length >= 8 && Arrays.equals(bytes, 0, 8, COMPONENT, 0, 8)) {
      throw new IllegalArgumentException(
          "file is a component: build it as a module, for wasm32-wasi or wasm32-wasip1");
    }
    if (bytes.length < 8 || !Arrays.equals(bytes, 0, 8, MAGIC, 0, 8)) {
      throw new IllegalArgumentException("file is not a WebAssembly module");
    }
    Outline outline = new Outline();
    outline.plain.writeBytes(MAGIC);
    Cursor at = new Cursor(bytes, 8, bytes.length);
    while (at.left() > 0) {
      int from = at.at();
      int id = at.octet();
      Cursor section = at.part();
      if (id != CUSTOM) {
        outline.read(id, section);
        outline.plain.write(bytes, from, at.at() - from);
      }
    }
    outline.checkMatches();
    return outline;
  }

  /// Indirect calls are compiled for each type, with a case for each function of that type; a
  /// repeated type would be compiled repeatedly.
  private void checkMatches() {
    Map<Signature, Integer> counts = new HashMap<>();
    functions.forEach(signature -> counts.merge(signature, 1, Integer::sum));
    long matches = 0;
    for (Signature type : types) {
      matches += counts.getOrDefault(type, 0);
    }
    if (matches > MOST_MATCHES || (long) types.size() * functions.size() > MOST_COMPARED) {
      throw new IllegalArgumentException("file has too many types for its functions");
    }
  }

  /// The module without its custom sections, such as names and debug information.
  byte[] plain() {
    return plain.toByteArray();
  }

  List<Import> imports() {
    return imports;
  }

  /// The names of the exported functions.
  List<String> exports() {
    return exported.keySet().stream().sorted().toList();
  }

  /// The signature of the exported function of that name, null if there is none.
  @Nullable Signature exported(String name) {
    Integer index = exported.get(name);
    return index == null || index >= functions.size() ? null : functions.get(index);
  }

  /// The functions that are certainly too large for a Java method.
  Set<Integer> large() {
    return large;
  }

  /// The initial memory in pages.
  int pages() {
    return pages;
  }

  /// The maximum memory in pages.
  int mostPages() {
    return mostPages;
  }

  private void read(int id, Cursor section) {
    switch (id) {
      case 1 -> each(section, "types", MOST_TYPES, this::type);
      case 2 -> each(section, "imports", MOST_IMPORTS, this::imported);
      case 3 -> each(section, "functions", MOST_FUNCTIONS, this::function);
      case 4 -> each(section, "tables", 10, this::table);
      case 5 -> each(section, "memories", 1, this::memory);
      case 6 -> each(section, "globals", MOST_GLOBALS, Outline::global);
      case 7 -> each(section, "exports", MOST_EXPORTS, this::export);
      case 8 -> section.number();
      case 9 -> each(section, "segments of elements", MOST_SEGMENTS, this::elements);
      case 10 -> each(section, "functions", MOST_FUNCTIONS, this::body);
      case 11 -> each(section, "segments of data", MOST_SEGMENTS, Outline::data);
      case 12 -> section.number();
      case 13 -> throw unsupported("exceptions");
      default -> throw section.fault("unknown section " + id);
    }
    if (section.left() > 0) {
      throw section.fault("a section is longer than what it holds");
    }
  }

  private interface Reading {
    void read(Cursor at);
  }

  private static void each(Cursor section, String things, int most, Reading reading) {
    int count = section.count(things, most);
    for (int i = 0; i < count; i++) {
      reading.read(section);
    }
  }

  static IllegalArgumentException unsupported(String what) {
    return new IllegalArgumentException("file uses " + what + ", which tools cannot use");
  }

  private void type(Cursor at) {
    if (at.octet() != 0x60) {
      throw unsupported("garbage collection");
    }
    types.add(new Signature(values(at), values(at)));
  }

  private static String values(Cursor at) {
    int count = at.count("parameters or results of a function", MOST_PARAMETERS);
    StringBuilder kinds = new StringBuilder(count);
    for (int i = 0; i < count; i++) {
      kinds.append(value(at));
    }
    return kinds.toString();
  }

  private static char value(Cursor at) {
    return switch (at.octet()) {
      case 0x7f -> 'i';
      case 0x7e -> 'I';
      case 0x7d -> 'f';
      case 0x7c -> 'F';
      case 0x7b -> throw unsupported("vectors (SIMD)");
      case FUNCREF, 0x6f -> 'r';
      default -> throw unsupported("types of references of its own");
    };
  }

  private void imported(Cursor at) {
    String module = at.name();
    String name = at.name();
    int kind = at.octet();
    Signature signature = kind == 0 ? signature(at) : null;
    switch (kind) {
      case 0 -> functions.add(signature);
      case 1 -> {
        char unused = value(at);
        limits(at);
      }
      case 2 -> limits(at);
      case 3 -> at.skip(2);
      default -> throw unsupported("exceptions");
    }
    imports.add(new Import(module, name, signature));
  }

  private Signature signature(Cursor at) {
    long index = at.number();
    if (index >= types.size()) {
      throw at.fault("unknown type " + index);
    }
    return types.get((int) index);
  }

  private void function(Cursor at) {
    functions.add(signature(at));
  }

  /// The minimum and the maximum size; the maximum is -1 if there is none.
  private static long[] limits(Cursor at) {
    int kind = at.octet();
    if (kind == 2 || kind == 3) {
      throw unsupported("threads");
    }
    if (kind > 3) {
      throw unsupported("memory of more than 4 GiB");
    }
    return new long[] {at.number(), kind == 1 ? at.number() : -1};
  }

  private void table(Cursor at) {
    Code.reference(at);
    entries += limits(at)[0];
    if (entries > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "file has tables that are too large: %,d entries, of at most %,d"
              .formatted(entries, MOST_ENTRIES));
    }
  }

  private void memory(Cursor at) {
    long[] limits = limits(at);
    if (limits[0] > 65_536 || limits[1] > 65_536) {
      throw at.fault("more than 4 GiB of memory");
    }
    pages = (int) limits[0];
    mostPages = limits[1] < 0 ? 65_536 : (int) limits[1];
  }

  private static void global(Cursor at) {
    char unused = value(at);
    at.skip(1);
    constant(at);
  }

  private void export(Cursor at) {
    String name = at.name();
    boolean function = at.octet() == 0;
    long index = at.number();
    if (function) {
      exported.put(name, (int) Math.min(index, Integer.MAX_VALUE));
    }
  }

  /// Skips a constant expression.
  private static void constant(Cursor at) {
    while (true) {
      switch (at.octet()) {
        case 0x0b -> {
          return;
        }
        case 0x41 -> at.skipNumber(32);
        case 0x42 -> at.skipNumber(64);
        case 0x43 -> at.skip(4);
        case 0x44 -> at.skip(8);
        case 0x23, 0xd2 -> at.skipNumber(32);
        case 0xd0 -> Code.reference(at);
        case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e -> {}
        default -> throw at.fault("an initial value is not a constant");
      }
    }
  }

  private void elements(Cursor at) {
    long flags = at.number();
    if (flags > 7) {
      throw at.fault("unknown kind of elements " + flags);
    }
    boolean active = (flags & 1) == 0;
    if (active) {
      if ((flags & 2) != 0) {
        at.skipNumber(32);
      }
      constant(at);
    }
    if ((flags & 3) != 0 && (flags & 4) != 0) {
      Code.reference(at);
    } else if ((flags & 3) != 0 && at.octet() != 0) {
      throw at.fault("unknown kind of elements");
    }
    int count = at.count("elements", MOST_ELEMENTS);
    for (int i = 0; i < count; i++) {
      if ((flags & 4) != 0) {
        constant(at);
      } else {
        at.skipNumber(32);
      }
    }
    entries += count;
    if (entries > 2 * MOST_ENTRIES) {
      throw new IllegalArgumentException("file has too many elements: more than " + MOST_ELEMENTS);
    }
  }

  /// A function's code: the library validates it, except the number of its locals.
  private void body(Cursor at) {
    Cursor body = at.part();
    if (body.left() > LARGEST_METHOD) {
      large.add(imports.size() + bodies);
    }
    bodies++;
    int kinds = body.count("kinds of locals", body.left());
    for (int i = 0; i < kinds; i++) {
      locals += body.number();
      char unused = value(body);
    }
    if (locals > MOST_LOCALS) {
      throw new IllegalArgumentException("file has too many locals: more than " + MOST_LOCALS);
    }
    code.pass(body);
  }

  /// The maximum number of bytes that the library needs to parse and compile it: some objects for
  /// each instruction, before and after validation.
  long cost() {
    return COST_OF_INSTRUCTION * code.instructions() + COST_OF_LOCAL * locals;
  }

  private static void data(Cursor at) {
    long kind = at.number();
    if (kind > 2) {
      throw at.fault("unknown kind of data " + kind);
    }
    if (kind == 2) {
      at.skipNumber(32);
    }
    if (kind != 1) {
      constant(at);
    }
    Cursor unused = at.part();
  }
}
