package dev.switchboard.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryQuery.Hits.Hit;
import dev.switchboard.memory.MemoryQuery.SearchDomain;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
  void takesAnyTextAndRefusesWhatIsNotAFilter() {
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

  @Test
  void findsArchivedBlocks() {
    tools.with(BuiltIns.block("fact", "The vault code is 4711"));
    tools.answer("block", "{'operation':'archive','label':'fact'}");

    assertThat(ids("{'query':'vault code','domain':'archival_memory'}"))
        .containsExactly("block/fact");
    assertThat(ids("{'query':'vault code'}")).containsExactly("block/fact");
    assertThat(ids("{'query':'vault code','domain':'conversations'}")).isEmpty();
  }

  /// A domain that finds one entry for any query, or throws that.
  private record Orders(String name, double score, @Nullable Exception thrown)
      implements SearchDomain {
    @Override
    public Hits search(MemoryQuery query) throws Exception {
      if (thrown != null) {
        throw thrown;
      }
      assertThat(query.domains()).containsExactly(name);
      Entry entry =
          new Entry(
              "a", name, "o1", "order", null, query.text() + " pie", List.of(), Instant.EPOCH);
      return new Hits(List.of(new Hit(entry, score)), 1);
    }
  }

  private JsonNode searched(String arguments, SearchDomain... domains) {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(BuiltInTools.of(List.of("search"), List.of(domains), null))
            .services(Services.of("a", tools.store, tools.time))
            .time(tools.time)
            .build();
    ToolResult result = tools.call(executor, "search", arguments);
    return Json.text(String.valueOf(result.text())).tree();
  }

  @Test
  void searchesDomainsOfTheHost() {
    Orders orders = new Orders("orders", 0.9, null);

    JsonNode own = searched("{'query':'apple','domain':'orders'}", orders);
    assertThat(own.path("total").asInt()).isEqualTo(1);
    assertThat(own.at("/hits/0/text").asString()).isEqualTo("apple pie");
    JsonNode all = searched("{'query':'meat'}", orders);
    assertThat(all.path("total").asInt()).isEqualTo(4);
    assertThat(all.path("hits").valueStream().map(hit -> hit.path("domain").asString()))
        .contains("orders", "archival_memory", "conversations");
    assertThat(all.has("warning")).isFalse();
    assertThat(searched("{'query':'meat','limit':1}", orders).path("hits")).hasSize(1);
    assertThat(searched("{'query':'x','domain':'archival_memory'}", orders).path("hits")).isEmpty();
    Tool search = BuiltInTools.of(List.of("search"), List.of(orders), null).getFirst();
    assertThat(search.definition().parameters().text())
        .contains("\"enum\":[\"archival_memory\",\"conversations\",\"orders\",\"all\"]");
    assertThat(search.definition().description()).endsWith(" Also: orders.");
  }

  @Test
  void saysWhichDomainFailedAndShowsTheOthers() {
    Orders broken = new Orders("orders", 1, new IOException("secret"));
    Orders odd = new Orders("odd", Double.NaN, null);

    JsonNode all = searched("{'query':'meat'}", broken, odd);
    assertThat(all.path("total").asInt()).isEqualTo(4);
    assertThat(all.at("/hits/3/score").asDouble()).isZero();
    assertThat(all.path("warning").asString())
        .isEqualTo("searched without 'orders', which failed (IOException)");
    JsonNode two = searched("{'query':'x'}", broken, new Orders("also", 1, new IOException()));
    assertThat(two.path("warning").asString()).contains("'orders'", "; ", "'also'");
    JsonNode alone = searched("{'query':'x','domain':'orders'}", broken);
    assertThat(alone.path("code").asString()).isEqualTo("failed");
    assertThat(alone.toString()).doesNotContain("secret");
  }

  @Test
  void refusesADomainWithoutANameOfItsOwn() {
    for (String name : List.of("all", "conversations", "archival_memory", "", "a b", "orders")) {
      assertThatThrownBy(
              () -> searched("{}", new Orders("orders", 1, null), new Orders(name, 1, null)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + name + "' needs a name of its own");
    }
    assertThatThrownBy(
            () -> BuiltInTools.of(List.of("recall"), List.of(new Orders("orders", 1, null)), null))
        .hasMessage("search domain 'orders' needs the built-in tool 'search'");
  }
}
