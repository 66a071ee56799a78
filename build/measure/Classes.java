import module java.base;

import java.lang.classfile.Attributes;
import java.lang.classfile.constantpool.ClassEntry;

/// What the compiled classes of some modules say of its types, of what its files use of each other,
/// and of its methods. A file is named by its path below `dev/switchboard`, without `.java`.
///
/// @param types by the name that the JVM gives them
/// @param used by file, all that it names: in code, signatures, fields and annotations
/// @param methods named as `dev.switchboard.json.Json.text()Ljava/lang/String;`
/// @param exports the packages that the modules export to all; where there are none, empty
record Classes(
    Map<String, Type> types,
    Map<String, Set<String>> used,
    Map<String, Method> methods,
    Set<String> exports) {
  private static final String ROOT = "dev/switchboard/";
  private static final Pattern NAMED = Pattern.compile("L(" + ROOT + "[\\w/$]+)");
  private static final Pattern EXPORT = Pattern.compile("(?m)^ *exports ([\\w.]+);");

  /// A class.
  ///
  /// @param named whether it is not anonymous
  /// @param open whether it is public
  /// @param outer the class that it is a member of, or empty
  record Type(String file, boolean named, boolean open, String outer) {}

  /// A method.
  ///
  /// @param decides whether it calls more than one method or has a branch, other than of an
  ///   accessor that throws where there is nothing
  record Method(String file, boolean decides) {}

  /// Reads the classes of these modules whose sources are still there.
  static Classes of(List<Path> modules) throws IOException {
    Classes classes =
        new Classes(new TreeMap<>(), new TreeMap<>(), new HashMap<>(), new TreeSet<>());
    for (Path module : modules) {
      classes.add(module.resolve("target/quick/classes"), module.resolve("src/main/java"));
    }
    return classes;
  }

  private void add(Path compiled, Path sources) throws IOException {
    try (Stream<Path> paths = Files.walk(compiled)) {
      for (Path path : paths.filter(path -> path.toString().endsWith(".class")).toList()) {
        read(ClassFile.of().parse(path), sources);
      }
    }
    Path module = sources.resolve("../../module/module-info.java");
    if (Files.exists(module)) {
      EXPORT
          .matcher(Files.readString(module))
          .results()
          .forEach(export -> exports.add(export.group(1).replace('.', '/')));
    }
  }

  private void read(ClassModel model, Path sources) {
    model
        .findAttribute(Attributes.module())
        .ifPresent(module ->
            module.exports().stream()
                .filter(export -> export.exportsTo().isEmpty())
                .forEach(export -> exports.add(export.exportedPackage().name().stringValue())));
    String name = model.thisClass().asInternalName();
    String source =
        model.findAttribute(Attributes.sourceFile()).orElseThrow().sourceFile().stringValue();
    Path path = Path.of(name).resolveSibling(source);
    if (!name.startsWith(ROOT)
        || source.endsWith("-info.java")
        || !Files.exists(sources.resolve(path))) {
      return;
    }
    String file = path.toString().replace(".java", "").substring(ROOT.length());
    types.put(name, type(model, file));
    Set<String> names = used.computeIfAbsent(file, _ -> new TreeSet<>());
    model.constantPool().forEach(entry -> addNames(entry, names));
    for (MethodModel method : model.methods()) {
      String called = method.methodName().stringValue() + method.methodType().stringValue();
      methods.put(name.replace('/', '.') + "." + called, new Method(file, decides(method)));
    }
  }

  private static Type type(ClassModel model, String file) {
    return model.findAttribute(Attributes.innerClasses()).stream()
        .flatMap(inner -> inner.classes().stream())
        .filter(inner -> inner.innerClass().equals(model.thisClass()))
        .map(inner ->
            new Type(
                file,
                inner.innerName().isPresent(),
                inner.has(AccessFlag.PUBLIC),
                inner.outerClass().map(ClassEntry::asInternalName).orElse("")))
        .findFirst()
        .orElse(new Type(file, true, model.flags().has(AccessFlag.PUBLIC), ""));
  }

  private static void addNames(PoolEntry entry, Set<String> names) {
    if (entry instanceof ClassEntry type) {
      names.add(type.asInternalName());
    } else if (entry instanceof Utf8Entry text) {
      NAMED.matcher(text.stringValue()).results().forEach(found -> names.add(found.group(1)));
    }
  }

  private static boolean decides(MethodModel method) {
    boolean made = method.flags().has(AccessFlag.BRIDGE);
    if (made || method.methodName().stringValue().startsWith("<")) {
      return false;
    }
    List<CodeElement> code = method.code().map(CodeModel::elementList).orElse(List.of());
    List<CodeElement> branches = code.stream().filter(Classes::isBranch).toList();
    long calls = code.stream().filter(InvokeInstruction.class::isInstance).count();
    boolean guards = branches.size() == 1 && isNullCheck(branches.getFirst()) && throwsAny(code);
    return calls > 1 || !branches.isEmpty() && !guards;
  }

  private static boolean isNullCheck(CodeElement element) {
    return element instanceof BranchInstruction branch
        && (branch.opcode() == Opcode.IFNULL || branch.opcode() == Opcode.IFNONNULL);
  }

  private static boolean throwsAny(List<CodeElement> code) {
    return code.stream().anyMatch(ThrowInstruction.class::isInstance);
  }

  private static boolean isBranch(CodeElement element) {
    return switch (element) {
      case BranchInstruction branch ->
          branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
      case TableSwitchInstruction _, LookupSwitchInstruction _ -> true;
      default -> false;
    };
  }

  long named() {
    return types.values().stream().filter(Type::named).count();
  }

  /// How many types are public and lie in public ones only, in exported packages.
  long open() {
    return types.keySet().stream()
        .filter(this::isOpen)
        .filter(name -> exports.isEmpty() || exports.contains(folder(name)))
        .count();
  }

  /// How many of these are a member of no other.
  long openAlone() {
    return types.keySet().stream()
        .filter(this::isOpen)
        .filter(name -> types.get(name).outer().isEmpty())
        .filter(name -> exports.isEmpty() || exports.contains(folder(name)))
        .count();
  }

  private boolean isOpen(String name) {
    Type type = types.get(name);
    return type.open() && (type.outer().isEmpty() || isOpen(type.outer()));
  }

  /// Of each package which of its files use which of its others.
  Map<String, Map<String, Set<String>>> uses() {
    Map<String, Map<String, Set<String>>> packages = new TreeMap<>();
    used.forEach((file, names) -> {
      Set<String> uses = new TreeSet<>();
      names.stream().filter(types::containsKey).forEach(name -> uses.add(types.get(name).file()));
      uses.removeIf(other -> other.equals(file) || !folder(other).equals(folder(file)));
      packages.computeIfAbsent(folder(file), _ -> new TreeMap<>()).put(file, uses);
    });
    return packages;
  }

  /// The package of that file or type.
  static String folder(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }
}
