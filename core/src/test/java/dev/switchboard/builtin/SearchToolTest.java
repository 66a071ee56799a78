package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Entry;
import dev.switchboard.tool.ResultCode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SearchToolTest {
  private final BuiltIns tools = new BuiltIns();

  @BeforeEach
  void remember() {
    put(Entry.ARCHIVAL, "1", "diet", null, "Ada eats no meat", 1);
    put(Entry.CONVERSATIONS, "2", "c1", "user", "I eat no meat", 2);
    put(Entry.CONVERSATIONS, "3", "c2", "assistant", "No meat then", 3);
  }

  private void put(String domain, String id, String label, String role, String text, int day) {
    List<String> tags = role == null ? List.of("food") : List.of();
    Instant at = Instant.parse("2026-03-0%dT12:00:00Z".formatted(day));
    assertThat(tools.store.insert(new Entry("a", domain, id, label, role, text, tags, at)))
        .isTrue();
  }

  private List<String> ids(String arguments) {
    return tools
        .answer("search", arguments)
        .path("hits")
        .valueStream()
        .map(hit -> hit.path("id").stringValue())
        .sorted()
        .toList();
  }

  @Test
  void searchesEverythingUnlessTold() {
    assertThat(ids("{'query':'meat'}")).containsExactly("1", "2", "3");
    assertThat(ids("{'query':'meat','domain':'archival_memory'}")).containsExactly("1");
    assertThat(ids("{'query':'meat','domain':'conversations'}")).containsExactly("2", "3");
    assertThat(ids("{'query':''}")).hasSize(3);
  }

  @Test
  void filters() {
    assertThat(ids("{'query':'meat','role':'assistant'}")).containsExactly("3");
    assertThat(ids("{'query':'meat','tags':['food']}")).containsExactly("1");
    assertThat(ids("{'query':'meat','from':'2026-03-02T14:00:00+02:00'}"))
        .containsExactly("2", "3");
    assertThat(ids("{'query':'meat','to':'2026-03-02T12:00:00Z'}")).containsExactly("1");
    assertThat(tools.answer("search", "{'query':'meat','limit':2}").path("total").intValue())
        .isEqualTo(3);
  }

  @Test
  void answersWithHitsAndTheirNumber() {
    JsonNode found = tools.answer("search", "{'query':'eat'}");

    assertThat(found.propertyNames()).containsExactly("hits", "total");
    assertThat(found.at("/hits/0").propertyNames())
        .containsExactly("id", "domain", "label", "role", "text", "at", "score");
  }

  @Test
  void takesAnyTextAndRefusesWhatIsNoFilter() {
    for (String query : List.of("what's up?", "C++", "a@b.de", "\\\\ % _ (", "🍕", "日本")) {
      assertThat(ids("{'query':\"" + query.replace("'", "\\u0027") + "\"}")).isEmpty();
    }
    assertThat(tools.call("search", "{'query':'x','from':'noon'}").success()).isFalse();
    assertThat(tools.call("search", "{'query':'x','domain':'web'}").code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
  }

  @Test
  void takesNoMoreTagsThanEveryStoreCan() {
    String most = "'t'" + ",'t'".repeat(99);
    assertThat(ids("{'query':'','tags':[" + most + "]}")).isEmpty();
    assertThat(tools.call("search", "{'query':'','tags':[" + most + ",'t']}").code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(
            tools
                .call("recall", "{'operation':'search','query':'','tags':[" + most + ",'t']}")
                .code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
  }
}
