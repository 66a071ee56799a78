package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.CallSettings.Phrase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever a phone can be told by a flag or a phrase, a file can state.
class KeysOfAFileTest {
  private static final String PHONE =
      """
      [agent]
      name = "Shop"

      [phone]
      carrier = "twilio"
      number = "+15550001234"
      public_url = "https://phone.example.com"
      engine = "openai-realtime"
      """;

  private static final String ENVIRONMENT =
      "TWILIO_ACCOUNT_SID=AC%s\nTWILIO_AUTH_TOKEN=t\nOPENAI_API_KEY=k\n".formatted("0".repeat(32));

  @TempDir private Path folder;

  private Phone phone(String more) {
    try {
      Files.writeString(folder.resolve(".env"), ENVIRONMENT);
      Path file = Files.writeString(folder.resolve("shop.toml"), PHONE + more + "\n");
      return new Phones().of(AgentFile.read(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFlagIsAKey(Flag flag) {
    boolean usual = Flag.usual().contains(flag);
    String key = flag.name().toLowerCase(Locale.ROOT);

    assertThat(phone("").settings().is(flag)).isEqualTo(usual);
    assertThat(phone(key + " = " + !usual).settings().is(flag)).isEqualTo(!usual);
    assertThat(phone(key + " = " + usual).settings().is(flag)).isEqualTo(usual);
  }

  @Test
  void aPhraseIsAKey() {
    String words =
        Arrays.stream(Phrase.values())
            .map(phrase -> phrase.name().toLowerCase(Locale.ROOT) + " = \"Say " + phrase + "\"")
            .collect(Collectors.joining(", ", "words = { ", " }"));
    Phone phone = phone(words);

    assertThat(Phrase.values())
        .allSatisfy(
            phrase -> assertThat(phone.settings().words().of(phrase)).isEqualTo("Say " + phrase));
  }
}
