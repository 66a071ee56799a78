package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFile.EmbeddingSettings;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.ConfigException;
import dev.switchboard.harness.Repository;
import dev.switchboard.provider.Provider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A constant of [Provider] is all that a provider is.
class ProvidersTest {
  @TempDir private Path folder;

  private AgentFile file(String provider) {
    try {
      String text = "[agent]\nname = \"x\"\nmodel = \"%s:m\"\n".formatted(provider);
      return AgentFile.read(Files.writeString(folder.resolve("x.toml"), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileNamesIt(Provider provider) {
    AgentFile file = file(provider.word());

    assertThat(file.agent().model().provider()).isEqualTo(provider.word());
    assertThat(file.agent().secretNames())
        .containsAll(Provider.keyVariables())
        .contains("TWILIO_AUTH_TOKEN");
    assertThat(ModelSettings.PROVIDERS).contains(provider.word());
  }

  @ParameterizedTest
  @EnumSource
  void aModelIsMadeOfItWithItsKeyAndItsAddress(Provider provider) {
    ModelSettings settings = ModelSettings.of(provider.word() + ":m");
    String variable = provider.keyVariable();
    if (variable != null) {
      assertThatThrownBy(() -> new Models(name -> null).of(settings))
          .hasMessageContaining("set the environment variable " + variable);
    }
    Map<String, String> environment = variable == null ? Map.of() : Map.of(variable, "key");
    Models models = new Models(environment::get);

    assertThat(models.of(settings).name()).isEqualTo(provider.word() + ":m");
    assertThat(models.options(settings).baseUrl()).isEqualTo(provider.baseUrl());
    boolean embeds = EmbeddingSettings.PROVIDERS.contains(provider.word());
    if (embeds) {
      assertThat(models.of(new EmbeddingSettings(settings, 0.5))).isNotNull();
    } else {
      assertThatThrownBy(() -> models.of(new EmbeddingSettings(settings, 0.5)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void messagesNameAll() {
    assertThatThrownBy(() -> file("other"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("use " + String.join(", ", Provider.words()) + ";");
    assertThatThrownBy(() -> new Models(name -> null).of(ModelSettings.of("other:m")))
        .hasMessageContaining("use " + String.join(", ", Provider.words()) + ";");
  }

  @Test
  void pagesNameAll() throws IOException {
    String models = page("docs/how-to/models.md");
    assertThat(
            Pattern.compile("(?m)^\\| (\\w+) \\| `(\\S+)` \\| `(\\w+)` \\| (.+) \\|$")
                .matcher(models)
                .results()
                .map(ProvidersTest::row))
        .containsExactlyElementsOf(
            Arrays.stream(Provider.values())
                .filter(provider -> !provider.title().isEmpty())
                .map(ProvidersTest::row)
                .toList());
    assertThat(page("README.md"))
        .contains(Arrays.stream(Provider.values()).map(Provider::title).toArray(String[]::new));
    String embedding = String.join("`, `", EmbeddingSettings.PROVIDERS);
    assertThat(page("docs/reference/configuration.md"))
        .contains("| `provider` | string | required | one of `" + embedding + "` |");
  }

  private static String row(MatchResult row) {
    return String.join(" ", row.group(1), row.group(2), row.group(3), row.group(4));
  }

  private static String row(Provider provider) {
    String variable = provider.keyVariable();
    return String.join(
        " ",
        provider.title(),
        provider.baseUrl(),
        provider.word(),
        variable == null ? "none" : "`" + variable + "`");
  }

  private static String page(String name) throws IOException {
    Path root = Repository.root();
    return Files.readString(root.resolve(name));
  }
}
