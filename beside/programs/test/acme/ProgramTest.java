package acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The program of this folder runs on the module path, with what Maven resolves for its artifact.
class ProgramTest {
  /// What an engine and a carrier need to be set up.
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "TWILIO_ACCOUNT_SID", "AC0123456789abcdef0123456789abcdef",
          "TWILIO_AUTH_TOKEN", "0123456789abcdef0123456789abcdef",
          "OPENAI_API_KEY", "key");

  @Test
  void runsOnTheModulePath() throws Exception {
    String classes = System.getProperty("program.classes");
    String path = classes + File.pathSeparator + System.getProperty("program.path");
    String module = "acme." + Path.of("").toAbsolutePath().getFileName();
    runs("-p", path, "-m", module + "/acme.Main");
  }

  @Test
  void runsOnTheClassPath() throws Exception {
    String classes = System.getProperty("program.classes");
    String path = classes + File.pathSeparator + System.getProperty("program.path");
    runs("-cp", path, "acme.Main");
  }

  private static void runs(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(ENVIRONMENT);
    Path errors = Files.createTempFile("errors", ".txt");
    Process process = builder.redirectError(errors.toFile()).start();

    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    assertThat(output).isEqualTo(Files.readString(Path.of("output.txt")));
    Files.delete(errors);
  }
}
