package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.model.ModelOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModelsTest {
  private static ModelOptions options(@Nullable Duration patience) {
    return new Models(name -> null, patience).options(ModelSettings.of("ollama:llama3"));
  }

  @Test
  void aClientLetsItsModelBeSilentAsLongAsItsAgentDoes() {
    assertThat(options(Duration.ofSeconds(10)).idleLimit()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options(Duration.ofSeconds(90)).idleLimit()).isEqualTo(Duration.ofSeconds(90));
    assertThat(options(Duration.ofDays(9)).idleLimit()).isEqualTo(Duration.ofDays(1));
    assertThat(options(null).idleLimit()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void aWholeReplyMayTakeFiveMinutesAtLeast() {
    assertThat(options(Duration.ofSeconds(90)).totalLimit()).isEqualTo(Duration.ofMinutes(5));
    assertThat(options(Duration.ofMinutes(9)).totalLimit()).isEqualTo(Duration.ofMinutes(9));
    assertThat(options(null).totalLimit()).isEqualTo(Duration.ofMinutes(5));
  }
}
