import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// Checks that every Java file of the repository stands as google-java-format would write it, or
/// rewrites it so.
///
/// Started from its source by the parent POM: `Format.java check|replace ROOT TAKES`. Since it
/// comes first in every build, it says how long that takes.
final class Format {
  private static final String REMEDY =
      "These files are not formatted. Run `mvn -q validate -Pformat` and commit the result:";

  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean check = args[0].equals("check");
    if (check) {
      System.out.println(
          "`mvn verify` of all modules takes about " + args[2] + " on two quiet cores.");
    }
    List<String> files = javaFiles(Path.of(args[1]));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = run(new PrintWriter(out), new PrintWriter(err), options(check), files);
    if (exit != 0) {
      System.err.print(check && !out.toString().isBlank() ? REMEDY + System.lineSeparator() : "");
      System.err.print(out.toString().replace(args[1] + "/", "  "));
      System.err.print(err);
      System.exit(1);
    }
  }

  private static List<String> options(boolean check) {
    return check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace");
  }

  private static int run(
      PrintWriter out, PrintWriter err, List<String> options, List<String> files) {
    ToolProvider formatter = ToolProvider.findFirst("google-java-format").orElseThrow();
    String[] args = Stream.concat(options.stream(), files.stream()).toArray(String[]::new);
    return formatter.run(out, err, args);
  }

  private static List<String> javaFiles(Path root) throws IOException {
    List<String> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean made =
                name.equals("target") || name.equals("node_modules") || name.startsWith(".");
            return made && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              files.add(file.toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
