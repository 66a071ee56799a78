package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class RecallToolTest {
  private final BuiltIns tools = new BuiltIns();

  private void insert(String label, String content, String tags) {
    tools.answer(
        "recall",
        "{'operation':'insert','label':'%s','content':'%s','tags':%s}"
            .formatted(label, content, tags));
    tools.time.advance(Duration.ofSeconds(1));
  }

  private long total() {
    return tools.store.search(MemoryQuery.of("a", "", Entry.ARCHIVAL)).total();
  }

  @Test
  void putsAwayAndReads() {
    insert("diet", "Ada eats no meat", "['food']");
    insert("diet", "and no fish", "[]");
    insert("car", "red", "[]");

    JsonNode read = tools.answer("recall", "{'operation':'read','label':'diet'}");

    assertThat(read.path("total").intValue()).isEqualTo(2);
    assertThat(read.at("/hits/0/text").stringValue()).isEqualTo("and no fish");
    assertThat(read.path("hits").get(1).propertyNames())
        .containsExactly("id", "domain", "label", "tags", "text", "at", "score");
    assertThat(read.at("/hits/1/at").stringValue()).isEqualTo("2026-03-01T12:00:00Z");
    assertThat(tools.call("recall", "{'operation':'read','label':'none'}").success()).isFalse();
  }

  @Test
  void searches() {
    insert("diet", "Ada eats no meat", "['food','ada']");
    insert("diet", "Bo eats meat", "['food']");

    JsonNode both = tools.answer("recall", "{'operation':'search','query':'no meat'}");
    assertThat(both.path("total").intValue()).isEqualTo(2);
    assertThat(both.at("/hits/0/text").stringValue()).isEqualTo("Ada eats no meat");
    assertThat(both.at("/hits/0/score").doubleValue())
        .isGreaterThan(both.at("/hits/1/score").doubleValue());
    JsonNode one =
        tools.answer("recall", "{'operation':'search','query':'meat','tags':['ada'],'limit':1}");
    assertThat(one.path("hits")).hasSize(1);
    assertThat(tools.answer("recall", "{'operation':'search','query':'fish'}"))
        .hasToString("{\"hits\":[],\"total\":0}");
    assertThat(tools.call("recall", "{'operation':'search','query':'x','limit':101}").code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
  }

  @Test
  void deletes() {
    insert("diet", "one", "[]");
    insert("diet", "two", "[]");
    insert("car", "red", "[]");

    assertThat(tools.answer("recall", "{'operation':'delete','label':'diet'}"))
        .hasToString("{\"label\":\"diet\",\"deleted\":2}");
    assertThat(total()).isEqualTo(1);
    assertThat(tools.call("recall", "{'operation':'delete','label':'diet'}").success()).isFalse();
  }

  @Test
  void deletesAllOfALabelUnlessToldHowMany() {
    for (int i = 0; i < 250; i++) {
      Instant at = tools.time.now().plusSeconds(i);
      String label = i < 230 ? "diet" : "car";
      Entry entry = new Entry("a", Entry.ARCHIVAL, "e" + i, label, null, "e" + i, List.of(), at);
      assertThat(tools.store.insert(entry)).isTrue();
    }

    assertThat(tools.answer("recall", "{'operation':'delete','label':'diet','limit':2}"))
        .hasToString("{\"label\":\"diet\",\"deleted\":2}");
    assertThat(tools.store.entry("a", Entry.ARCHIVAL, "e229")).isNull();
    assertThat(tools.store.entry("a", Entry.ARCHIVAL, "e227")).isNotNull();
    assertThat(tools.answer("recall", "{'operation':'delete','label':'diet'}"))
        .hasToString("{\"label\":\"diet\",\"deleted\":228}");
    assertThat(total()).isEqualTo(20);
  }

  @Test
  void namesTheLabelThatWasPerhapsMeant() {
    insert("diet", "no meat", "[]");
    for (String operation : List.of("read", "delete")) {
      assertThat(tools.error("recall", "{'operation':'" + operation + "','label':'dite'}"))
          .endsWith("No entry 'dite' was found. Did you mean 'diet'?");
      assertThat(tools.error("recall", "{'operation':'" + operation + "','label':'telephone'}"))
          .endsWith("No entry 'telephone' was found.");
    }
  }

  @Test
  void aCallThatIsMadeAgainKeepsItsEntryOnce() {
    ToolCall call =
        new ToolCall(
            "k",
            "recall",
            Json.text("{\"operation\":\"insert\",\"label\":\"diet\",\"content\":\"no meat\"}"));

    ToolResult first = tools.executor().build().execute(call, ToolSession.of("c1"));
    ToolResult again = tools.executor().build().execute(call, ToolSession.of("c1"));

    assertThat(again.text()).isEqualTo(first.text());
    assertThat(total()).isEqualTo(1);
    assertThat(tools.executor().build().execute(call, ToolSession.of("c2")).text())
        .isNotEqualTo(first.text());
    assertThat(total()).isEqualTo(2);
  }

  @Test
  void saysWhichMemberAnOperationNeeds() {
    assertThat(tools.error("recall", "{'operation':'insert','label':'x'}"))
        .endsWith("Operation 'insert' needs 'content'.");
    assertThat(tools.error("recall", "{'operation':'search'}"))
        .endsWith("Operation 'search' needs 'query'.");
  }

  @Test
  void findsAnArchivedBlockAndNeverDeletesIt() {
    tools.with(BuiltIns.block("fact", "The vault code is 4711"));
    tools.answer("block", "{'operation':'archive','label':'fact'}");

    JsonNode found = tools.answer("recall", "{'operation':'search','query':'vault'}");
    assertThat(found.at("/hits/0/label").asString()).isEqualTo("fact");
    assertThat(found.at("/hits/0").has("at")).isFalse();
    JsonNode read = tools.answer("recall", "{'operation':'read','label':'fact'}");
    assertThat(read.at("/hits/0/text").asString()).isEqualTo("The vault code is 4711");
    assertThat(tools.error("recall", "{'operation':'read','label':'fakt'}"))
        .endsWith("No entry 'fakt' was found. Did you mean 'fact'?");
    assertThat(tools.error("recall", "{'operation':'delete','label':'fact'}"))
        .endsWith("No entry 'fact' was found.");
    insert("fact", "The door is green", "[]");
    assertThat(
            tools.answer("recall", "{'operation':'delete','label':'fact'}").path("deleted").asInt())
        .isEqualTo(1);
    assertThat(
            tools.answer("block", "{'operation':'read','label':'fact'}").path("value").asString())
        .isEqualTo("The vault code is 4711");
  }

  @Test
  void anEntryBeyondTheRoomOfTheProcessIsRefusedWithTheRemedy() {
    BuiltIns small = new BuiltIns(new InProcessMemory(20_000));
    String entry =
        "{'operation':'insert','label':'fact','content':'%s'}".formatted("x".repeat(900));
    int kept = 0;
    while (kept < 100 && small.call("recall", entry).success()) {
      kept++;
    }
    assertThat(kept).isBetween(3, 10);
    String full =
        "This principal has reached its limit of 10000 characters of memory without a storage."
            + " Delete what is no longer needed.";
    assertThat(small.call("recall", entry).code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(small.error("recall", entry)).endsWith(full);
    assertThat(
            small.error(
                "block",
                "{'operation':'create','label':'b','content':'%s'}".formatted("y".repeat(4_900))))
        .endsWith(full);
    assertThat(
            small
                .answer("recall", "{'operation':'delete','label':'fact','limit':1}")
                .path("deleted")
                .asInt())
        .isEqualTo(1);
    assertThat(small.call("recall", entry).success()).isTrue();
  }
}
