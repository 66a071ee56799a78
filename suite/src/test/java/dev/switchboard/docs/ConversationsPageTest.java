package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Holds `docs/how-to/conversations.md`, and the sentences of `docs/reference/events.md`, to turns
/// that really end.
class ConversationsPageTest {
  private static List<List<String>> endings() throws IOException {
    return Page.named("docs/how-to/conversations.md").rows().stream()
        .filter(row -> row.size() == 4 && row.get(1).startsWith("`"))
        .map(row -> row.stream().map(cell -> cell.replace("`", "")).toList())
        .filter(row -> !row.getFirst().equals("stop reason"))
        .toList();
  }

  @Test
  void namesEveryStopReason() throws IOException {
    assertThat(endings().stream().map(List::getFirst))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(StopReason.values()).map(StopReason::word).toList());
  }

  @TestFactory
  Stream<DynamicTest> saysHowATurnEnds() throws IOException {
    return endings().stream()
        .map(row ->
            DynamicTest.dynamicTest(
                row.getFirst(),
                () -> {
                  Ending.Seen seen =
                      Ending.of(StopReason.valueOf(row.getFirst().toUpperCase(Locale.ROOT)));
                  assertThat(seen.turn()).isEqualTo(row.get(1));
                  assertThat(seen.types()).endsWith(row.get(2).split(" "));
                  assertThat(seen.events().getLast().json().text())
                      .contains("\"stopReason\":\"" + row.getFirst() + "\"");
                }));
  }

  @Test
  void saysWhatUsersAreTold() throws IOException {
    String page = String.join("\n", allBlocks("docs/reference/events.md"));

    for (StopReason reason : StopReason.values()) {
      Ending.of(reason).events().stream()
          .filter(event -> event instanceof Event.Failed || event instanceof Event.BudgetExhausted)
          .forEach(event -> assertThat(page).contains(event.json().text()));
    }
  }

  private static List<String> allBlocks(String page) throws IOException {
    return Page.named(page).blocks().stream().flatMap(block -> block.lines().stream()).toList();
  }
}
