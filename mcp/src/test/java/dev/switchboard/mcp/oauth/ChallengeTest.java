package dev.switchboard.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChallengeTest {
  @Test
  void readsTheParametersOfTheSchemeBearer() {
    Challenge challenge =
        Challenge.read(
            "Bearer error=\"insufficient_scope\", scope=\"a b a\""
                + " ,resource_metadata=\"https://x/y,z=1\"");

    assertThat(challenge)
        .isEqualTo(new Challenge("insufficient_scope", List.of("a", "b"), "https://x/y,z=1"));
  }

  @Test
  void findsItAmongOtherSchemes() {
    assertThat(
            Challenge.read(
                "Negotiate abc==, Basic realm=\"Bearer scope=no\", bearer SCOPE = yes, Digest"
                    + " scope=\"no\""))
        .isEqualTo(new Challenge("", List.of("yes"), null));
  }

  @Test
  void takesWhatCannotBeReadForNothing() {
    assertThat(Challenge.read(null)).isEqualTo(Challenge.NONE);
    assertThat(Challenge.read("")).isEqualTo(Challenge.NONE);
    assertThat(Challenge.read("Bearer")).isEqualTo(Challenge.NONE);
    assertThat(Challenge.read("Basic scope=\"a\"")).isEqualTo(Challenge.NONE);
    assertThat(Challenge.read("Bearer scope=\"" + "a ".repeat(10_000))).isEqualTo(Challenge.NONE);
    assertThat(Challenge.read("Bearer , = ,,\t scope").scopes()).isEmpty();
  }

  @Test
  void readsAQuotedTextToItsEndOrThatOfTheHeader() {
    assertThat(Challenge.read("Bearer error=\"a\\\"b\\\\c\"").error()).isEqualTo("a\"b\\c");
    assertThat(Challenge.read("Bearer error=\"open").error()).isEqualTo("open");
    assertThat(Challenge.read("Bearer error=\"open\\").error()).isEqualTo("open\\");
  }

  @Test
  void leavesOutScopesThatCannotBeAskedFor() {
    assertThat(Challenge.scopes("read \u00e9 a\"b a\\b  write:all " + "x".repeat(300)))
        .containsExactly("read", "write:all");
  }
}
