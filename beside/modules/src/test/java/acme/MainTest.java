package acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private static final Path PROGRAM =
      Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().getPath());

  @TempDir private Path folder;

  @Test
  void typedToolsRunOnTheModulePath() throws Exception {
    assertThat(started("typed")).isEqualTo("{\"orders\":[{\"item\":\"tea\",\"count\":2}]}\n");
    assertThat(started("methods")).isEqualTo("3.5\n");
  }

  @Test
  void everyOtherPartRunsThereToo() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("agent.toml"),
            """
            [agent]
            name = "Shop"
            [[tools]]
            name = "call"
            webhook_url = "http://127.0.0.1:1/"
            retry = { max_retries = 0 }
            [network]
            allow = ["127.0.0.1:1"]
            """);

    assertThat(started("unusual schema")).contains("taken\n");
    assertThat(started("agent")).isEqualTo("Reply[text=Good day.]\n");
    assertThat(started("file", file.toString())).contains("the connection was refused");
    assertThat(started("sqlite", folder.resolve("shop.db").toString()))
        .contains("Reply[text=Good day.]\n2\n");
  }

  @Test
  void thePageShowsThisProgramsModuleAndOption() throws IOException {
    assertThat(Files.readString(Path.of("../../docs/how-to/modules.md")))
        .contains(Files.readString(Path.of("src/main/java/module-info.java")));
  }

  @Test
  void aPackageThatIsNotOpenIsNamedWithTheLineThatOpensIt() throws Exception {
    Path closed = without("opens");
    assertThat(started(closed, "typed"))
        .contains(
            "ToolSchemaException",
            "`opens acme to dev.switchboard.json, dev.switchboard.tools, tools.jackson.databind;`");
    assertThat(started(closed, "methods"))
        .contains("ToolSchemaException", "`opens acme to dev.switchboard.tools;`");
  }

  /// The program, made with a module-info that says less.
  private Path without(String word) throws IOException, InterruptedException {
    Path sources = Path.of("src/main/java");
    String info = Files.readString(sources.resolve("module-info.java"));
    String less =
        Stream.of(info.split("(?<=;)"))
            .filter(part -> !part.contains(word))
            .collect(Collectors.joining());
    Path said = Files.writeString(folder.resolve("module-info.java"), closed(less));
    Path made = folder.resolve("classes");
    String main = sources.resolve("acme/Main.java").toString();
    String out =
        run(
            Stream.of(
                java("javac"), "-p", modulePath(), "-d", made.toString(), said.toString(), main));
    assertThat(made.resolve("acme/Main.class")).as(out).exists();
    return made;
  }

  private static String closed(String info) {
    return info.endsWith("}\n") ? info : info + "}\n";
  }

  private static String started(String... arguments) throws Exception {
    return started(PROGRAM, arguments);
  }

  private static String started(Path program, String... arguments) throws Exception {
    return run(
        Stream.of(
                Stream.of(java("java")),
                Stream.of("-p", program + File.pathSeparator + modulePath(), "-m"),
                Stream.of("acme.shop/acme.Main"),
                Stream.of(arguments))
            .flatMap(part -> part));
  }

  private static String run(Stream<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command.toList()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }

  private static String java(String command) {
    return Path.of(System.getProperty("java.home"), "bin", command).toString();
  }

  /// What the program needs to run, without what the test needs.
  private static String modulePath() {
    List<String> jars = new ArrayList<>();
    for (String jar : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (jar.endsWith(".jar")
          && !jar.matches(
              ".*/(org/junit|org/assertj|net/bytebuddy|org/opentest4j|org/apiguardian)/.*")) {
        jars.add(jar);
      }
    }
    return jars.stream().collect(Collectors.joining(File.pathSeparator));
  }
}
