package dev.switchboard.docs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Examples compiled into a folder, to be run.
final class Compiled implements AutoCloseable {
  private final URLClassLoader loader;

  private Compiled(URLClassLoader loader) {
    this.loader = loader;
  }

  /// One file of an example.
  private static final class Source extends SimpleJavaFileObject {
    private final String place;
    private final String text;

    Source(String name, String place, String text) {
      super(URI.create("page:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.place = place;
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }

    String fault(Diagnostic<?> diagnostic) {
      long number = diagnostic.getLineNumber();
      String line = number < 1 ? "" : text.lines().skip(number - 1).findFirst().orElse("").strip();
      return "%s: %s\n  in: %s".formatted(place, diagnostic.getMessage(Locale.ROOT), line);
    }
  }

  /// The examples compiled for Java 21, without a warning.
  static Compiled of(List<Example> examples, Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "--release",
            "21",
            "-proc:none",
            "-parameters",
            "-Xlint:deprecation,removal,unchecked,rawtypes",
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            folder.toString());
    compiler.getTask(null, null, found, options, null, sources(examples)).call();
    List<String> faults =
        found.getDiagnostics().stream()
            .map(fault -> fault.getSource() instanceof Source s ? s.fault(fault) : fault.toString())
            .toList();
    if (!faults.isEmpty()) {
      throw new AssertionError(String.join("\n", faults));
    }
    for (Example example : examples) {
      for (Block resource : example.resources()) {
        Path file = folder.resolve(String.valueOf(resource.file()));
        Files.createDirectories(file.getParent());
        Files.writeString(file, resource.text());
      }
    }
    return new Compiled(
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, Compiled.class.getClassLoader()));
  }

  private static List<Source> sources(List<Example> examples) {
    List<Source> sources = new ArrayList<>();
    for (Example example : examples) {
      for (Map.Entry<String, String> file : example.files().entrySet()) {
        sources.add(new Source(file.getKey(), example.place(), file.getValue()));
      }
    }
    return sources;
  }

  Class<?> load(String name) throws ClassNotFoundException {
    return loader.loadClass(name);
  }

  /// What the `main` of that class prints.
  String run(String name) throws ReflectiveOperationException {
    var main = load(name).getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    return printed(main);
  }

  private static String printed(java.lang.reflect.Method main) throws ReflectiveOperationException {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PRINTS.set(out);
    System.setOut(new PrintStream(new OwnOutput(before), true, StandardCharsets.UTF_8));
    try {
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
      PRINTS.remove();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /// Where a thread prints to, and those that it starts; other tests print meanwhile too.
  private static final InheritableThreadLocal<OutputStream> PRINTS = new InheritableThreadLocal<>();

  private static final class OwnOutput extends OutputStream {
    private final OutputStream others;

    OwnOutput(OutputStream others) {
      this.others = others;
    }

    private OutputStream target() {
      OutputStream own = PRINTS.get();
      return own == null ? others : own;
    }

    @Override
    public void write(int b) throws IOException {
      target().write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      target().write(bytes, from, length);
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
