package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The programs that pages show, with nothing but the artifacts that the page names.
@Tag("slow")
class PageProgramsTest {
  private static final Path ROOT = Repository.file("docs").toAbsolutePath().getParent();
  private static final String LIBRARY = "switchboard"; // as the README adds it
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");
  private static final Pattern MAIN = Pattern.compile("public static void main");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record|interface) (\\w+)");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern OURS = Pattern.compile("\\bswitchboard-[a-z]+\\b");
  private static final Pattern OTHER = Pattern.compile("<artifactId>([^<]+)</artifactId>");
  // Pages that continue the project of another one.
  private static final Map<String, String> CONTINUES =
      Map.of("docs/tutorial/first-agent.md", "docs/tutorial/first-tool.md");
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "OPENAI_API_KEY", "made-up",
          "TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000000",
          "TWILIO_AUTH_TOKEN", "made-up");

  @TempDir Path folder;

  /// A program.
  ///
  /// @param files the code of the page up to it, by type
  private record Program(String page, String type, Map<String, String> files) {}

  private static List<Program> programs() throws IOException {
    List<Program> programs = new ArrayList<>();
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> pages =
          Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
              .filter(file -> file.toString().endsWith(".md"))
              .sorted()
              .toList();
      for (Path page : pages) {
        programs.addAll(programs(page));
      }
    }
    return programs;
  }

  private static List<Program> programs(Path page) throws IOException {
    String name = ROOT.relativize(page).toString().replace('\\', '/');
    String text = Files.readString(page);
    List<Program> programs = new ArrayList<>();
    Map<String, String> files = new LinkedHashMap<>();
    boolean isNamed =
        OURS.matcher(text).find()
            || text.contains("<artifactId>" + LIBRARY + "</artifactId>")
            || CONTINUES.containsKey(name);
    for (MatchResult block : JAVA.matcher(isNamed ? text : "").results().toList()) {
      String code = block.group(1);
      Matcher type = TYPE.matcher(code);
      if (!code.contains("@Test") && type.find()) {
        files.put(type.group(1), code);
        if (MAIN.matcher(code).find()) {
          programs.add(new Program(name, type.group(1), new LinkedHashMap<>(files)));
        }
      }
    }
    return programs;
  }

  private static Set<String> artifacts(String page) throws IOException {
    String text = Files.readString(ROOT.resolve(page));
    Set<String> named = new TreeSet<>(Set.of(LIBRARY));
    OURS.matcher(text).results().forEach(one -> named.add(one.group()));
    OTHER.matcher(text).results().forEach(one -> named.add(one.group(1)));
    if (CONTINUES.containsKey(page)) {
      named.addAll(artifacts(CONTINUES.get(page)));
    }
    return named;
  }

  @Test
  void optionalPartsAreNotBrought() throws IOException {
    String phone = path(PageArtifacts.classPath(ROOT, Set.of("switchboard-phone")));
    assertThat(phone).contains("tools/target", "okhttp").doesNotContain("server/target", "javalin");
    for (String artifact :
        List.of("switchboard-agent", "switchboard-mcp", "switchboard-phone", "switchboard-wasm")) {
      assertThat(path(PageArtifacts.classPath(ROOT, Set.of(artifact))))
          .contains("tools/target")
          .doesNotContain("sqlite", "postgresql", "tomlj");
    }
    assertThat(path(PageArtifacts.classPath(ROOT, Set.of("switchboard-server"))))
        .contains("javalin", "tools/target");
  }

  @TestFactory
  Stream<DynamicTest> theProgramsOfPagesRunWithTheArtifactsThatTheyName() throws IOException {
    List<Program> programs = programs();
    assertThat(programs)
        .extracting(Program::page)
        .contains("docs/how-to/phone.md", "docs/how-to/serve.md", "docs/how-to/mcp.md");
    return programs.stream()
        .map(program ->
            DynamicTest.dynamicTest(program.page() + " " + program.type(), () -> runs(program)));
  }

  private void runs(Program program) throws Exception {
    Path here = Files.createDirectories(folder.resolve(program.page() + program.type()));
    String own = path(PageArtifacts.classPath(ROOT, artifacts(program.page())));
    String name = compile(program, here, own);
    String out = run(here, own, name);
    assertThat(out)
        .as(program.page())
        .doesNotContain("NoClassDefFoundError", "ClassNotFoundException", "NoSuchMethodError")
        .contains("exit 0");
  }

  @Test
  void aPhoneWithoutTheServerSaysWhatIsMissing() throws Exception {
    Program phone = programs(ROOT.resolve("docs/how-to/phone.md")).getFirst();
    String alone = path(PageArtifacts.classPath(ROOT, Set.of("switchboard-phone")));
    assertThat(run(folder, alone, compile(phone, folder, alone)))
        .contains("Phone.serve needs the artifact dev.switchboard:switchboard-server", "exit 1")
        .doesNotContain("NoClassDefFoundError");
  }

  /// Compiles the program, which ends when it has started, and reaches no one.
  private static String compile(Program program, Path here, String classPath) throws Exception {
    List<String> javac =
        new ArrayList<>(
            List.of(
                java("javac"),
                "-proc:none",
                "-parameters",
                "-d",
                here.toString(),
                "-cp",
                classPath));
    for (Map.Entry<String, String> file : program.files().entrySet()) {
      Path source = here.resolve(file.getKey() + ".java");
      javac.add(Files.writeString(source, ending(file.getValue(), here)).toString());
    }
    assertThat(output(new ProcessBuilder(javac))).as(program.page()).contains("exit 0");
    Matcher inPackage = PACKAGE.matcher(program.files().get(program.type()));
    return inPackage.find() ? inPackage.group(1) + "." + program.type() : program.type();
  }

  private static String ending(String code, Path here) {
    String ending =
        code.replace("Thread.currentThread().join();", "System.exit(0);")
            .replaceAll("\\b8000\\b", "0")
            .replace("\"npx\", \"-y\"", "\"" + here.resolve("not-there") + "\"");
    boolean asksAModel = code.contains("Switchboard.model(");
    return asksAModel
        ? ending.replaceAll("(?m)^ *System\\.out\\.println\\(.*\\.say\\(.*;$", "")
        : ending;
  }

  private static String run(Path here, String classPath, String name) throws Exception {
    ProcessBuilder java =
        new ProcessBuilder(java("java"), "-cp", here + File.pathSeparator + classPath, name);
    java.directory(here.toFile());
    java.environment().putAll(ENVIRONMENT);
    return output(java);
  }

  private static String output(ProcessBuilder command) throws Exception {
    Path log = Files.createTempFile("program", ".log");
    Process process =
        command
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      return Files.readString(log) + "\nexit " + process.exitValue();
    } finally {
      process.destroyForcibly();
      Files.delete(log);
    }
  }

  private static String java(String tool) {
    return Path.of(System.getProperty("java.home"), "bin", tool).toString();
  }

  private static String path(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
