package dev.switchboard.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Documents as well-known services have them: each operation is a tool whose request is, byte for
/// byte, the one that the document describes, or it has a reason.
class WellKnownDocumentsTest {
  private final StubWebhook service = StubWebhook.start();

  @AfterEach
  void close() {
    service.close();
  }

  private DocumentTrial trial(Path file) {
    service.answer(200, "{}");
    try {
      return DocumentTrial.of(OpenApiDocument.read(Files.readString(file)), service);
    } catch (IOException e) {
      throw new AssertionError(
          file + " is missing: run `npm ci --prefix config/src/test/documents` first", e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "code-host.json, 8, POST /repos/{owner}/{repo}/releases/{release_id}/assets",
    "payments.yaml, 5, POST /v1/files",
    "telephony.yaml, 5,",
    "messenger.yaml, 4, POST /files.upload",
    "pets.yaml, 5, POST /pet/{petId}/uploadImage",
  })
  void eachRequestIsTheDescribedOne(String file, int tools, String leftOut) {
    DocumentTrial trial = trial(Path.of("src/test/resources/openapi", file));
    assertThat(trial.wrong()).isEmpty();
    assertThat(trial.without()).isEmpty();
    assertThat(trial.tools()).isEqualTo(tools);
    assertThat(trial.leftOut().keySet())
        .containsExactlyElementsOf(leftOut == null ? List.of() : List.of(leftOut));
  }

  @Test
  @Tag("servers")
  void twoThousandOperationsOfTwoServicesAreTools() throws IOException {
    Path packages = Path.of("src/test/documents/node_modules");
    List<Path> files = new ArrayList<>();
    files.add(packages.resolve("@octokit/openapi/generated/api.github.com.json"));
    try (Stream<Path> all =
        Files.list(packages.resolve("@twilio/cli-core/src/services/twilio-api"))) {
      all.filter(path -> path.toString().endsWith(".json")).sorted().forEach(files::add);
    }
    int tools = 0;
    int asStated = 0;
    List<String> leftOut = new ArrayList<>();
    List<String> without = new ArrayList<>();
    for (Path file : files) {
      DocumentTrial trial = trial(file);
      assertThat(trial.wrong()).as(file.toString()).isEmpty();
      tools += trial.tools();
      asStated += trial.asStated();
      trial.leftOut().forEach((operation, why) -> leftOut.add(operation + " " + why));
      without.addAll(trial.without());
    }
    System.out.printf(
        "%d operations are tools, %d called with the documents' own examples; left out: %s; without"
            + " an example: %s%n",
        tools, asStated, leftOut, without);
    assertThat(tools).isGreaterThan(2_000);
    assertThat(leftOut).hasSizeLessThan(10).allMatch(why -> why.contains(" has a "));
    assertThat(without).hasSizeLessThan(5);
  }
}
