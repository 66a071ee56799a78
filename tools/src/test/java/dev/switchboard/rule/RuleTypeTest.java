package dev.switchboard.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.ruling.RuleKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RuleTypeTest {
  static List<RuleType> types() {
    return List.of(
        new RuleType.StartConstraint(null, true),
        new RuleType.StartConstraint(Json.text("{\"day\":null}"), false),
        new RuleType.RequiresPreceding(List.of("b", "a")),
        new RuleType.RequiresFollowing(List.of()),
        new RuleType.MaxCalls(3),
        new RuleType.Cooldown(Duration.ofNanos(1_500_000_001)),
        new RuleType.ExclusiveGroups(List.of(Set.of("b", "a"), Set.of())),
        new RuleType.ExitLoop(),
        new RuleType.ContinueLoop(),
        new RuleType.RequiredBeforeExit(),
        new RuleType.RequiredBeforeExitIf(List.of("a")),
        new RuleType.RequiresConsent(null, null, List.of()),
        new RuleType.RequiresConsent("money", Json.text("{\"const\":1.0}"), List.of("to")),
        new RuleType.Forbidden(),
        new RuleType.AllowedOperations(List.of("read")),
        new RuleType.Child(Set.of("b"), Map.of()),
        new RuleType.Child(Set.of("b", "a"), Map.of("b", Json.text("{\"n\":42}"))),
        new RuleType.Parent(Set.of("b", "a")),
        new RuleType.Conditional(Map.of("yes", "b"), null, null, false),
        new RuleType.Conditional(Map.of("true", "b", "7", "c"), "/a/b", "d", true),
        new RuleType.Periodic(Duration.ofSeconds(5)),
        new RuleType.Needed());
  }

  @ParameterizedTest
  @MethodSource("types")
  void isMadeOfItsValueAgain(RuleType type) {
    assertThat(RuleKind.of(type).given(Json.text(type.value().text()))).isEqualTo(type);
  }

  @Test
  void hasTheValueThatAFileStates() {
    assertThat(values(new RuleType.MaxCalls(3), new RuleType.Cooldown(Duration.ofMillis(1500))))
        .containsExactly("3", "\"1500ms\"");
    assertThat(values(new RuleType.ExclusiveGroups(List.of(Set.of("b", "a")))))
        .containsExactly("[[\"a\",\"b\"]]");
    assertThat(values(new RuleType.StartConstraint(null, true), new RuleType.ExitLoop()))
        .containsExactly("null", "null");
    assertThat(
            values(
                new RuleType.StartConstraint(Json.EMPTY_OBJECT, false),
                new RuleType.RequiresConsent("money", null, List.of("to"))))
        .containsExactly("{\"args\":{},\"auto\":false}", "{\"scope\":\"money\",\"bind\":[\"to\"]}");
  }

  private static Stream<String> values(RuleType... types) {
    return Stream.of(types).map(type -> type.value().text());
  }
}
