package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.labelled;
import static dev.switchboard.contract.MemoryPlace.message;
import static dev.switchboard.contract.MemoryPlace.query;
import static dev.switchboard.contract.MemoryPlace.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryQuery.Hits.Hit;
import dev.switchboard.memory.MemoryStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Searches, through every store.
interface MemorySearchContract extends MemoryPlace {
  @Test
  default void r200TheBestMatchComesFirst() {
    var vector = Vectors.byId("R200");
    remember("a", texts(vector.given().path("entries")));

    assertThat(found(query("dog"))).containsExactly(texts(vector.expect().path("order_by_score")));
    List<Double> scores = open().search(query("dog")).hits().stream().map(Hit::score).toList();
    assertThat(scores.getFirst()).isEqualTo(1);
    assertThat(scores.get(1)).isBetween(0.5, 0.99);
    assertThat(scores.get(2)).isBetween(0.1, scores.get(1) - 0.01);
  }

  private static String[] texts(JsonNode array) {
    return array.valueStream().map(JsonNode::stringValue).toArray(String[]::new);
  }

  @Test
  default void rareWordsAndMoreOfTheQueryWeighMore() {
    remember("a", "the cat", "the cow", "the dog", "the the the", "the hen");

    assertThat(found(query("the dog"))).hasSize(5).startsWith("the dog");
    assertThat(open().search(query("the dog and pony")).hits().getFirst().score()).isEqualTo(0.5);
  }

  @Test
  default void r202OtherAgentsEntriesAreNeverSeen() {
    remember("b", "private dog", "pizza 🍕", "日本");
    remember("a", "own dog");

    assertThat(found(query("private"))).isEmpty();
    assertThat(found(query("🍕 日本 dog"))).containsExactly("own dog");
    assertThat(found(query(""))).containsExactly("own dog");
    assertThat(found(MemoryQuery.of("c", "dog", Entry.ARCHIVAL))).isEmpty();
  }

  @Test
  default void r198AnEntryIsReadByItsLabelAndDeleted() {
    assertThat(open().insert(labelled("pet", entry("1", "dog")))).isTrue();
    assertThat(open().insert(labelled("wild", entry("2", "dog")))).isTrue();

    assertThat(found(query("").withLabel("pet"))).containsExactly("dog");
    assertThat(open().search(query("dog").withLabel("pet")).total()).isEqualTo(1);
    assertThat(open().delete("a", Entry.ARCHIVAL, "1")).isTrue();
    assertThat(found(query("dog").withLabel("pet"))).isEmpty();
    assertThat(found(query("dog").withLabel("wild"))).hasSize(1);
  }

  @Test
  default void anyTextIsAValidQuery() {
    remember("a", "dog");
    for (String odd :
        List.of(
            "'",
            "\"",
            "\"dog",
            "dog\"",
            "''dog''",
            "(dog",
            "dog)",
            "dog AND",
            "OR dog",
            "NOT dog",
            "NEAR(dog)",
            "dog*",
            "^dog",
            "words:dog",
            "-dog",
            "{dog}",
            "dog & | !",
            "dog:*",
            "<->dog",
            "dog\\",
            "%dog_",
            "dog\u0000",
            "dog \uD83C",
            "\u200Ddog",
            "dog;--",
            "$1 dog ?",
            "dog ::")) {
      assertThat(open().search(query(odd)).total()).as(odd).isBetween(0L, 1L);
      if (odd.contains("dog")) {
        assertThat(found(query(odd))).as(odd).containsExactly("dog");
      }
    }
    for (String nothing : List.of("???", "...", "\"\"", "()", "\u0000", "\uD83C", "*", "\\")) {
      assertThat(found(query(nothing))).as(nothing).isEmpty();
    }
    assertThat(found(query("dog ".repeat(5_000)))).containsExactly("dog");
    String many = String.join(" ", IntStream.range(0, 3_000).mapToObj(i -> "w" + i).toList());
    assertThat(found(query("dog " + many))).containsExactly("dog");
    assertThat(found(query("犬".repeat(3_000)))).isEmpty();
  }

  @Test
  default void findsWhatPeopleWrite() {
    remember(
        "a",
        "What's up? he asked",
        "She writes C++ and C#",
        "Mail to anna.smith@example.com",
        "Due on 2026-03-14, at 19:30",
        "A pizza 🍕 for 12€",
        "Zoë's café in Łódź");

    assertThat(found(query("what's up?")).getFirst()).startsWith("What");
    assertThat(found(query("C++"))).containsExactly("She writes C++ and C#");
    assertThat(found(query("c#"))).hasSize(1);
    assertThat(found(query("anna.smith@example.com"))).hasSize(1);
    assertThat(found(query("Example.COM"))).hasSize(1);
    assertThat(found(query("anna@example.com"))).isEmpty();
    assertThat(found(query("2026-03-14"))).hasSize(1);
    assertThat(found(query("2026-03-15"))).isEmpty();
    assertThat(found(query("19:30"))).hasSize(1);
    assertThat(found(query("🍕"))).hasSize(1);
    assertThat(found(query("🍔"))).isEmpty();
    assertThat(found(query("12€"))).hasSize(1);
    assertThat(found(query("zoe CAFÉ"))).hasSize(1);
  }

  @Test
  default void findsPartsOfScriptsWithoutSpaces() {
    remember("a", "東京都の天気は晴れです", "京都へ行きました", "한국어를 공부해요", "ภาษาไทย", "iPhoneは東");

    assertThat(found(query("東京"))).containsExactly("東京都の天気は晴れです");
    assertThat(found(query("天気は晴"))).containsExactly("東京都の天気は晴れです");
    assertThat(found(query("晴れです"))).hasSize(1);
    assertThat(found(query("す"))).hasSize(1);
    assertThat(found(query("東"))).hasSize(2);
    assertThat(found(query("京都"))).hasSize(2).contains("京都へ行きました");
    assertThat(found(query("東京の天気はどうですか")).getFirst()).startsWith("東京都");
    assertThat(found(query("한국"))).hasSize(1);
    assertThat(found(query("ไทย"))).hasSize(1);
    assertThat(found(query("iphone"))).hasSize(1);
    assertThat(found(query("天京"))).isEmpty();
  }

  @Test
  default void takesTextsOfAnyLength() {
    String[] words = IntStream.range(0, 40_000).mapToObj(i -> "word" + i).toArray(String[]::new);
    remember(
        "a", String.join(" ", words), "one ".repeat(20_000), "犬".repeat(50_000), "z".repeat(9_999));

    assertThat(found(query("word7 word15999"))).hasSize(1);
    assertThat(found(query("one"))).hasSize(1);
    assertThat(found(query("犬犬"))).hasSize(1);
    assertThat(found(query("z".repeat(9_999)))).hasSize(1);
  }

  @Test
  default void aBlankQueryListsTheLatestFirst() {
    remember("a", "one", "two", "three");

    assertThat(found(query(" \n"))).containsExactly("three", "two", "one");
    Hits two = open().search(query("").withLimit(2));
    assertThat(two.hits()).extracting(hit -> hit.entry().text()).containsExactly("three", "two");
    assertThat(two.total()).isEqualTo(3);
  }

  @Test
  default void countsWhatIsBeyondTheLimit() {
    remember("a", IntStream.range(0, 30).mapToObj(i -> "dog number " + i).toArray(String[]::new));

    Hits hits = open().search(query("dog").withLimit(7));
    assertThat(hits.hits()).hasSize(7);
    assertThat(hits.total()).isEqualTo(30);
    assertThat(hits.hits().getFirst().entry().text()).isEqualTo("dog number 29");
    assertThat(hits.hits()).isSortedAccordingTo((a, b) -> Double.compare(b.score(), a.score()));
    assertThat(open().search(query("dog").withLimit(100)).hits()).hasSize(30);
  }

  @Test
  default void tellsLongLabelsAndTagsApart() {
    String one = "日本".repeat(5_000) + "1";
    String other = "日本".repeat(5_000) + "2";
    MemoryStore store = open();
    assertThat(store.insert(labelled(one, tagged(entry("1", "dog one"), one)))).isTrue();
    assertThat(store.insert(labelled(other, tagged(entry("2", "dog two"), other)))).isTrue();

    for (String text : List.of("dog", "")) {
      assertThat(found(query(text).withLabel(one))).containsExactly("dog one");
      assertThat(found(query(text).withTags(List.of(other)))).containsExactly("dog two");
    }
  }

  @Test
  default void filtersByTagLabelRoleTimeAndDomain() {
    MemoryStore store = open();
    List<Entry> entries =
        List.of(
            tagged(entry("1", "dog one"), "pet", "big"),
            tagged(entry("2", "dog two"), "pet"),
            MemoryPlace.written(NOON.plusSeconds(9), entry("3", "dog three")),
            message("1", "user", "dog said"),
            message("2", "assistant", "dog answered"));
    entries.forEach(entry -> assertThat(store.insert(entry)).isTrue());

    for (String text : List.of("dog", "")) {
      MemoryQuery all = MemoryQuery.of("a", text, Entry.ARCHIVAL, Entry.CONVERSATIONS);
      assertThat(store.search(all).total()).isEqualTo(5);
      assertThat(found(all.withTags(List.of("pet"))))
          .containsExactlyInAnyOrder("dog one", "dog two");
      assertThat(found(all.withTags(List.of("big", "pet")))).containsExactly("dog one");
      assertThat(found(all.withTags(List.of("pe")))).isEmpty();
      assertThat(found(all.withRole("user"))).containsExactly("dog said");
      assertThat(store.search(all.withLabel("c1")).total()).isEqualTo(2);
      assertThat(found(all.between(NOON.plusSeconds(9), null))).containsExactly("dog three");
      assertThat(store.search(all.between(null, NOON.plusSeconds(9))).total()).isEqualTo(4);
      assertThat(found(MemoryQuery.of("a", text, "own"))).isEmpty();
    }
    assertThat(store.entry("a", Entry.ARCHIVAL, "1")).isEqualTo(entries.getFirst());
    assertThat(store.entry("a", Entry.CONVERSATIONS, "1")).isEqualTo(entries.get(3));
  }
}
