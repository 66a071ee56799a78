package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ManualTime;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class MemoryCommandTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path folder;
  private String agent;

  @BeforeEach
  void write() {
    agent = MemoryToml.of(folder, "Concierge");
  }

  private Cli memory(String... words) {
    return piped("", words);
  }

  private Cli piped(String in, String... words) {
    List<String> args = new ArrayList<>(List.of("memory"));
    args.addAll(Arrays.asList(words));
    args.add(agent);
    return Cli.runWith(in, args.toArray(String[]::new));
  }

  private void remember(Entry... entries) {
    try (Storage storage = Storage.open("sqlite:Concierge.db", folder)) {
      MemoryStore store = storage.memory();
      assertThat(entries).allMatch(store::insert);
    }
  }

  private static Entry entry(String id, String text) {
    return new Entry("Concierge", Entry.ARCHIVAL, id, "diet", null, text, List.of("food"), NOON);
  }

  private static Entry message(String id, String role, String text) {
    return new Entry(
        "Concierge", Entry.CONVERSATIONS, id, "c1", role, text, List.of(), NOON.plusSeconds(60));
  }

  private static Cli changed(int version, int length) {
    String sentence =
        "Block 'guest' is at version %d now, with %d of 40 characters.\n"
            .formatted(version, length);
    return new Cli(0, sentence, "");
  }

  private static Cli failed(int exit, String sentence) {
    return new Cli(exit, "", "switchboard: " + sentence + "\n");
  }

  @Test
  void listsTheBlocksThatTheFileBeginsWith() {
    assertThat(memory("list"))
        .isEqualTo(
            new Cli(
                0,
                """
                LABEL  KIND     PERMISSION  CHARACTERS  PROMPT  VERSION  WHAT FOR
                guest  core     read_write  0 of 40     yes     1        Who calls
                rules  core     read_only   9 of 5000   yes     1
                notes  working  read_write  0 of 5000   no      1
                """,
                ""));
    JsonNode rules = memory("list", "--json").json().get(1);
    assertThat(rules.propertyNames())
        .containsExactly(
            "label",
            "agent",
            "kind",
            "description",
            "permission",
            "pinned",
            "inPrompt",
            "version",
            "length",
            "limit");
    assertThat(rules.path("label").stringValue()).isEqualTo("rules");
  }

  @Test
  void listsWhatOthersShare() {
    try (Storage storage = Storage.open("sqlite:Concierge.db", folder)) {
      Memory other = Memory.of(storage.memory(), "Chef", new ManualTime(NOON));
      other.create(Block.of("Chef", "menu", Block.Kind.CORE));
      other.share("menu", "Concierge", Permission.READ_ONLY, List.of("Concierge"));
    }
    assertThat(memory("list").out()).contains("menu (of Chef)");
    assertThat(memory("edit", "menu", "--append", "x"))
        .isEqualTo(
            failed(
                1,
                "Permission denied: block 'menu' has the permission 'read_only', and 'append' needs"
                    + " 'append'."));
  }

  @Test
  void showsABlock() {
    assertThat(memory("show", "rules")).isEqualTo(new Cli(0, "Be brief.\n", ""));
    assertThat(memory("show", "guest")).isEqualTo(new Cli(0, "", ""));
    assertThat(memory("show", "rules", "--json").json().getFirst().path("value").stringValue())
        .isEqualTo("Be brief.");
    assertThat(memory("show", "rule"))
        .isEqualTo(failed(1, "Block 'rule' was not found. Did you mean 'rules'?"));
    memory("edit", "guest", "--set", "a\u001b[31mb");
    assertThat(memory("show", "guest").out()).isEqualTo("a\\u001b[31mb\n");
    assertThat(memory("edit", "guest", "--replace", "[31m!", "--with", "x"))
        .isEqualTo(
            failed(
                1,
                "The old text was not found in block 'guest'. The closest line is 1:"
                    + " 'a\\u001b[31mb'."));
  }

  @Test
  void editsABlock() {
    assertThat(memory("edit", "guest", "--append", "Name: Ada")).isEqualTo(changed(2, 9));
    assertThat(memory("edit", "guest", "--append", "Diet: none")).isEqualTo(changed(3, 20));
    assertThat(memory("edit", "guest", "--replace", "Ada", "--with", "Zoë"))
        .isEqualTo(changed(4, 20));
    assertThat(memory("edit", "guest", "--replace", "n", "--with", "N", "--all").exit()).isZero();
    assertThat(memory("show", "guest").out()).isEqualTo("Name: Zoë\nDiet: NoNe\n");
    assertThat(piped("Name: Bo\n", "edit", "guest", "--set", "-")).isEqualTo(changed(6, 8));
    assertThat(piped("VIP\r\n", "edit", "guest", "--append", "-", "--json").json().getFirst())
        .hasToString("{\"label\":\"guest\",\"version\":7,\"length\":12,\"limit\":40}");
    assertThat(memory("edit", "rules", "--append", "By a person.").exit()).isZero();
  }

  @Test
  void saysWhatIsWrongWithAnEdit() {
    assertThat(memory("edit", "guest", "--set", "x".repeat(41)))
        .isEqualTo(
            failed(
                1, "Block 'guest' is limited to 40 characters: it has 0 now and would have 41."));
    assertThat(memory("edit", "rules", "--replace", "e", "--with", "E").err())
        .contains("occurs 2 times in block 'rules' (line 1)");
    assertThat(memory("edit", "rules", "--append", "x", "--expect", "7"))
        .isEqualTo(failed(1, "Block 'rules' is at version 1 now, not 7: read it again."));
    assertThat(memory("edit", "rules", "--set", "x", "--expect", "7").exit()).isOne();
    assertThat(memory("edit", "rules", "--set", "x", "--expect", "1").exit()).isZero();
    assertThat(memory("edit", "guest").err()).contains("say --append TEXT, --replace OLD");
    assertThat(memory("edit", "rules", "--append", "").err())
        .contains("There is nothing to append.");
    assertThat(memory("edit", "guest", "--append", "x", "--set", "y").exit()).isEqualTo(2);
    assertThat(memory("edit", "guest", "--replace", "x").err()).contains("needs --with NEW");
    assertThat(memory("edit", "guest", "--append", "x", "--all").exit()).isEqualTo(2);
    ByteArrayInputStream latin = new ByteArrayInputStream(new byte[] {(byte) 0xe9});
    assertThat(Cli.runWith(latin, "memory", "edit", "guest", "--set", "-", agent))
        .isEqualTo(failed(1, "Nothing was changed: standard input is not UTF-8 text."));
    assertThat(memory("show", "guest").out()).isEmpty();
  }

  @Test
  void undoesAndMakesAgain() {
    memory("edit", "guest", "--append", "Name: Ada");
    memory("edit", "guest", "--replace", "Ada", "--with", "Zoë");

    assertThat(memory("undo", "guest")).isEqualTo(changed(4, 9));
    assertThat(memory("show", "guest").out()).isEqualTo("Name: Ada\n");
    assertThat(
            memory("history", "guest")
                .out()
                .lines()
                .map(l -> l.replaceAll("\\d{4}-\\S+ \\S+", "T")))
        .containsExactly(
            "NUMBER  AT                   BY            OPERATION  STATE     OLD  NEW",
            "2       T  command line  replace    undone    Ada  Zoë",
            "1       T  command line  append     in force       Name: Ada");
    assertThat(memory("redo", "guest", "--json").out())
        .isEqualTo("{\"label\":\"guest\",\"version\":5,\"length\":9,\"limit\":40}\n");
    assertThat(memory("redo", "guest"))
        .isEqualTo(failed(1, "In block 'guest' is nothing to make again."));
    assertThat(memory("undo", "rules"))
        .isEqualTo(failed(1, "In block 'rules' is nothing to undo."));
  }

  @Test
  void tellsABlocksHistory() {
    assertThat(memory("history", "guest"))
        .isEqualTo(new Cli(0, "The block was never edited.\n", ""));
    memory("edit", "guest", "--set", "aaa");
    memory("edit", "guest", "--set", "aa");
    JsonNode last = memory("history", "guest", "-n", "1", "--json").json().getFirst();
    assertThat(last.propertyNames())
        .containsExactly("number", "at", "by", "operation", "undone", "before", "after");
    assertThat(last.path("before").stringValue()).isEqualTo("aaa");
    assertThat(memory("history", "guest", "-n", "1").out().lines()).hasSize(2);
    assertThat(memory("history", "guest", "-n", "0"))
        .isEqualTo(failed(2, "-n must be at least 1, not 0."));
  }

  @Test
  void searches() {
    remember(
        entry("1", "Ada eats no meat"),
        entry("2", "Bo eats\u001b[31m all"),
        message("3", "user", "I eat no meat"));

    assertThat(memory("search", "no meat").out())
        .startsWith("SCORE  AT                   DOMAIN           LABEL  ROLE  TEXT\n")
        .contains(Moments.text(NOON) + "  archival_memory  diet         Ada eats no meat");
    assertThat(texts("no meat")).hasSize(2);
    assertThat(texts("no meat", "--domain", "conversations")).containsExactly("I eat no meat");
    assertThat(texts("meat", "--role", "user")).containsExactly("I eat no meat");
    assertThat(texts("meat", "--tag", "food")).containsExactly("Ada eats no meat");
    assertThat(texts("meat", "--from", "2026-03-01T12:00:30Z")).containsExactly("I eat no meat");
    assertThat(texts("meat", "--to", "2026-03-01")).isEmpty();
    assertThat(texts("", "--limit", "1")).containsExactly("I eat no meat");
    assertThat(memory("search", "", "--limit", "2").out())
        .endsWith("2 of 3; --limit shows more.\n");
    assertThat(memory("search", "all").out()).contains("Bo eats\\u001b[31m all");
    assertThat(memory("search", "\"C++ (")).isEqualTo(new Cli(0, "Nothing was found.\n", ""));
    assertThat(memory("search", "meat", "--json").json().getFirst().propertyNames())
        .contains("id", "domain", "label", "tags", "text", "at", "score");
  }

  private List<String> texts(String... words) {
    List<String> all = new ArrayList<>(List.of("search", "--json"));
    all.addAll(Arrays.asList(words));
    return memory(all.toArray(String[]::new)).json().stream()
        .map(hit -> hit.path("text").stringValue())
        .toList();
  }

  @Test
  void saysWhichFilterIsNone() {
    assertThat(memory("search", "x", "--domain", "web"))
        .isEqualTo(failed(2, "--domain must be archival_memory, conversations or all, not 'web'."));
    assertThat(memory("search", "x", "--role", "me").exit()).isEqualTo(2);
    assertThat(memory("search", "x", "--limit", "101"))
        .isEqualTo(failed(2, "--limit must be 1 to 100, not 101."));
    assertThat(memory("search", "x", "--from", "noon"))
        .isEqualTo(failed(2, "--from must be as 2026-03-01 or 2026-03-01T12:00:00Z, not 'noon'."));
  }

  @Test
  void findsTheOnlyAgentHere() {
    assertThat(Cli.runIn(folder, "memory", "show", "rules").out()).isEqualTo("Be brief.\n");
    MemoryToml.of(folder, "Other");
    assertThat(Cli.runIn(folder, "memory", "show", "rules").err())
        .contains("Several agents here have a storage");
  }
}
