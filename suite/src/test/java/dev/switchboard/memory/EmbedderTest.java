package dev.switchboard.memory;

import static dev.switchboard.contract.MemoryPlace.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.contract.MemoryPlace;
import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Vectors for entries, from a model that fails in one way or another.
class EmbedderTest {
  private final InProcessMemory store = new InProcessMemory();
  private final ManualTime time = new ManualTime();
  private final Fragile model = new Fragile();
  private final SemanticMemory memory = SemanticMemory.of(store, model, time);

  private static final class Fragile implements Embeddings {
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean broken;

    @Override
    public List<float[]> of(List<String> texts) {
      asked.addAll(texts);
      if (broken) {
        throw new AssertionError("broken");
      }
      if (texts.stream().anyMatch(text -> text.startsWith("poison") || text.length() > 5_000)) {
        throw new IllegalStateException("not taken");
      }
      return texts.stream().map(text -> new float[] {1, text.length()}).toList();
    }

    @Override
    public String name() {
      return "test:fragile";
    }
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private List<String> open() {
    return store.unembedded("a", model.name(), 0, 99).stream()
        .map(one -> one.entry().text())
        .toList();
  }

  private void put(String... texts) {
    for (String text : texts) {
      assertThat(store.insert(entry(text, text))).isTrue();
    }
  }

  @Test
  void anErrorOfTheModelEndsNoMoreThanTheWorkOfAWhile() throws Exception {
    model.broken = true;
    assertThat(memory.insert(entry("dog", "dog"))).isTrue();
    await().until(() -> !model.asked.isEmpty());
    assertThat(memory.search(MemoryPlace.query("dog")).warning()).isNotNull();

    model.broken = false;
    await()
        .until(() -> {
          time.advance(Duration.ofMinutes(1));
          assertThat(memory.search(MemoryPlace.query("dog")).total()).isEqualTo(1);
          return open().isEmpty();
        });
    assertThat(open()).isEmpty();
  }

  @Test
  void severalTextsThatAreNotTakenKeepNoOtherBack() throws Exception {
    put("poison 1", "poison 2", "poison 3", "poison 4", "dog");

    assertThat(memory.embedAll("a", count -> {})).isEqualTo(1);
    assertThat(open()).doesNotContain("dog").hasSize(4);
  }

  @Test
  void whatIsNotTakenIsNotAFailureAndIsNotRequestedAgain() throws Exception {
    put("poison");
    assertThat(memory.embedAll("a", count -> {})).isZero();
    model.asked.clear();

    put("dog");
    assertThat(memory.embedAll("a", count -> {})).isEqualTo(1);
    assertThat(model.asked).containsExactly("dog");
  }

  @Test
  void ofATextThatIsTooLongForTheModelLessIsSent() throws Exception {
    put("x".repeat(9_000), "dog");
    assertThat(memory.embedAll("a", count -> {})).isEqualTo(2);
    assertThat(model.asked).contains("x".repeat(8_000), "x".repeat(2_000));
  }
}
