package dev.switchboard.ruling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.switchboard.harness.PropertySize;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PrerequisitesTest {
  private static final int SETS = PropertySize.of("switchboard.rulesets", 20_000);
  private static final List<String> TOOLS = List.of("a", "b", "c", "d", "e", "f");

  @Test
  void findsWhatTheNaiveWayFinds() {
    long first = new Random().nextLong();
    for (long seed = first; seed < first + SETS; seed++) {
      Random random = new Random(seed);
      List<ToolRule> rules = Stream.generate(() -> rule(random)).limit(random.nextInt(12)).toList();
      Prerequisites needs = Prerequisites.of(rules, null);
      NaivePrerequisites naive = NaivePrerequisites.of(rules, null);
      assertThat(needs.stated()).as("seed " + seed).isEqualTo(naive.stated());
      assertThat(needs.cycles()).as("seed " + seed).isEqualTo(naive.cycles());
      for (String tool : TOOLS) {
        for (ToolRule.Scope scope : ToolRule.Scope.values()) {
          assertThat(needs.before(tool, scope))
              .as("seed " + seed)
              .containsExactlyElementsOf(naive.before(tool, scope));
        }
      }
    }
  }

  private static ToolRule rule(Random random) {
    String[] names =
        random
            .ints(1 + random.nextInt(3), 0, 6)
            .mapToObj(TOOLS::get)
            .distinct()
            .toArray(String[]::new);
    String tool = random.nextInt(5) == 0 ? ToolRule.ANY : TOOLS.get(random.nextInt(6));
    ToolRule rule =
        switch (random.nextInt(5)) {
          case 0 -> ToolRule.startWith(TOOLS.get(random.nextInt(6)));
          case 1 -> ToolRule.onlyAfter(tool, names);
          default -> ToolRule.after(tool, names);
        };
    return rule.scope(ToolRule.Scope.values()[random.nextInt(3)]);
  }

  @Test
  void looksAtEachNeedOnceWhenNoToolWaitsForItself() {
    Prerequisites needs = Prerequisites.of(mesh(300, 40), null);
    assertThat(needs.cycles()).isEmpty();
    assertThat(needs.steps()).isEqualTo(needs.stated().size());
  }

  @Test
  void followsAWayThroughManyTools() {
    List<ToolRule> rules = new ArrayList<>(mesh(20_000, 1));
    rules.add(ToolRule.after("t0", "t19999"));
    Prerequisites needs = Prerequisites.of(rules, null);
    assertThat(needs.cycles())
        .singleElement()
        .satisfies(cycle -> assertThat(cycle).hasSize(20_000));
    assertThat(needs.steps()).isEqualTo(2 * 20_000);
  }

  @Test
  void saysThatRulesAreTooManyToFollow() {
    List<ToolRule> rules =
        IntStream.range(0, 1_000).mapToObj(i -> ToolRule.after(ToolRule.ANY, "t" + i)).toList();
    assertThat(RuleLint.faults(rules, null))
        .extracting(RuleFault::kind, RuleFault::rule)
        .contains(tuple(Kind.RULE_CONFLICT, 0));
  }

  @Test
  void keepsSomeFaultsOfManyPairs() {
    List<ToolRule> parents =
        IntStream.range(0, 3_000).mapToObj(i -> ToolRule.onlyAfter("t" + i, "child")).toList();
    assertThat(RuleLint.faults(parents, null)).hasSize(2_000);
  }

  /// Each tool waits for so many before it.
  private static List<ToolRule> mesh(int tools, int each) {
    return IntStream.range(1, tools)
        .mapToObj(i ->
            ToolRule.after(
                "t" + i,
                IntStream.range(Math.max(0, i - each), i)
                    .mapToObj(j -> "t" + j)
                    .toArray(String[]::new)))
        .toList();
  }
}
