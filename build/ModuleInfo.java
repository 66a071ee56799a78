import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.spi.ToolProvider;

/// Compiles a `module-info.java` against the classes that it speaks of, and adds it to their jar.
///
/// Apart from the compiler and jar plugins: with it Maven would compile and test on a module path,
/// and a Maven on Java 17 cannot pack a module that is compiled for 21.
///
/// Started from its source: `ModuleInfo.java SOURCE CLASSES MODULE_PATH RELEASE JAR DATE`.
final class ModuleInfo {
  private ModuleInfo() {}

  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("module-info");
    try {
      run(
          "javac",
          "-Xlint:all,-requires-automatic,-requires-transitive-automatic,-module",
          "-Werror",
          "--release",
          args[3],
          "--module-path",
          args[2],
          "--patch-module",
          name(args[0]) + "=" + args[1],
          "-d",
          folder.toString(),
          args[0]);
      run(
          "jar",
          "--update",
          "--file",
          args[4],
          "--date",
          args[5],
          "-C",
          folder.toString(),
          "module-info.class");
    } finally {
      Files.deleteIfExists(folder.resolve("module-info.class"));
      Files.delete(folder);
    }
  }

  private static String name(String source) throws IOException {
    Optional<String> line =
        Files.readString(Path.of(source)).lines().filter(s -> s.startsWith("module ")).findFirst();
    return line.orElseThrow().split(" ")[1];
  }

  private static void run(String tool, String... args) {
    int exit = ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, args);
    if (exit != 0) {
      throw new IllegalStateException(tool + " ended with " + exit);
    }
  }
}
