package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
  @Test
  void neverShowsItself() {
    assertThat(Secret.of("hush")).hasToString("Secret[***]");
    assertThat("" + Secret.of("whsec_aHVzaA==")).doesNotContain("hush", "aHVzaA");
  }

  @Test
  void readsBase64BehindThePrefix() {
    assertThat(Secret.of("whsec_aHVzaA==")).isEqualTo(Secret.of("hush"));
    assertThat(Secret.of("aHVzaA==")).isNotEqualTo(Secret.of("hush"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "whsec_", "whsec_h!sh"})
  void refusesWhatIsNotASecretWithoutQuotingIt(String text) {
    assertThatThrownBy(() -> Secret.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageNotContaining("h!sh");
  }

  @Test
  void namesTheVariableThatIsMissing() {
    assertThatThrownBy(() -> Secret.env("ORDERS_SECRET", Map.of()))
        .hasMessage("environment variable 'ORDERS_SECRET' is not set");
    assertThatThrownBy(() -> Secret.env("ORDERS_SECRET", Map.of("ORDERS_SECRET", "")))
        .hasMessage("environment variable 'ORDERS_SECRET': a secret must not be empty");
    assertThat(Secret.env("ORDERS_SECRET", Map.of("ORDERS_SECRET", "hush")))
        .isEqualTo(Secret.of("hush"));
  }
}
