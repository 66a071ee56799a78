package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Services;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A line and its words are two writes: nothing between them loses words for ever.
class SearchIndexerTest {
  private static final int LINES = 30;

  private final InProcessConversations conversations = new InProcessConversations();
  private final InProcessMemory durable = new InProcessMemory();

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /// What happens before an entry is kept.
  private interface Trouble {
    void before(int insert);
  }

  /// The durable memory, which keeps batches one by one, with trouble before some inserts.
  private MemoryStore memory(Trouble trouble) {
    AtomicInteger inserts = new AtomicInteger();
    return (MemoryStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MemoryStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("insertAll")) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              if (method.getName().equals("insert")) {
                trouble.before(inserts.incrementAndGet());
              }
              try {
                return method.invoke(durable, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /// A process that opens the conversation.
  private Transcript opened(MemoryStore memory) {
    AgentMemory words =
        new AgentMemory(
            Services.of("a", memory, Time.SYSTEM),
            true,
            Set.of(),
            new AgentMemory.Beginning(List.of(), Set.of(), Time.SYSTEM));
    return new Transcript(
        ToolSession.builder("c").store(conversations).build(),
        tool -> false,
        conversations,
        Time.SYSTEM,
        words);
  }

  /// Says the words that have not been said yet, up to that one.
  private void say(Transcript transcript, int most) {
    for (int i = conversations.lines("c", 99).size(); i < most; i++) {
      String word = "word" + i;
      TranscriptEntry said =
          transcript.once(
              "turn" + i + "/input",
              TranscriptEntry.Said.class,
              () -> new TranscriptEntry.Said("i", word, null, 1));
      assertThat(said).isNotNull();
    }
  }

  private List<String> found() {
    return durable
        .search(MemoryQuery.of("a", "", Entry.CONVERSATIONS).withLimit(100))
        .hits()
        .stream()
        .map(hit -> hit.entry().text())
        .sorted()
        .toList();
  }

  private static List<String> words(int most) {
    return IntStream.range(0, most).mapToObj(i -> "word" + i).sorted().toList();
  }

  private static Trouble diesAt(int number) {
    return insert -> {
      if (insert == number) {
        throw new Killed();
      }
    };
  }

  private static Trouble failsUpTo(int number) {
    return insert -> {
      if (insert <= number) {
        throw new IllegalStateException("the memory is away");
      }
    };
  }

  @Test
  void aDeathBetweenALineAndItsWordsLosesNone() {
    Transcript first = opened(memory(diesAt(7)));
    try {
      say(first, LINES);
    } catch (Killed e) {
      assertThat(found()).hasSize(6);
    }
    assertThat(conversations.lines("c", 99)).hasSize(7);

    say(opened(durable), LINES);
    assertThat(found()).isEqualTo(words(LINES));
  }

  @Test
  void aMemoryThatWasAwayIsToldAfterwards() {
    say(opened(memory(failsUpTo(20))), LINES);

    assertThat(found()).isEqualTo(words(LINES));
  }

  @Test
  void theNextProcessStoresWhatOneCouldNot() {
    say(opened(memory(failsUpTo(Integer.MAX_VALUE))), LINES);
    assertThat(found()).isEmpty();

    assertThat(opened(durable).isEmpty()).isFalse();
    assertThat(found()).isEqualTo(words(LINES));
  }

  @Test
  void aDeathWhileItCatchesUpLosesNone() {
    Transcript away = opened(memory(insert -> diesOrFails(insert, 5)));
    say(away, LINES);
    for (int death = 1; death < 4; death++) {
      try {
        assertThat(opened(memory(diesAt(death)))).isNull();
      } catch (Killed e) {
        assertThat(found().size()).isBetween(5, LINES);
      }
    }
    assertThat(opened(durable).isEmpty()).isFalse();
    assertThat(found()).isEqualTo(words(LINES));
  }

  /// Well for so many, then away.
  private static void diesOrFails(int insert, int well) {
    if (insert > well) {
      throw new IllegalStateException("the memory is away");
    }
  }

  @Test
  void looksNoFurtherBackThanWhatIsThere() {
    say(opened(durable), LINES);
    AtomicInteger inserts = new AtomicInteger();

    say(opened(memory(insert -> inserts.incrementAndGet())), LINES);

    assertThat(inserts).hasValue(0);
  }

  /// The durable memory, which never takes these words.
  private MemoryStore refusing(String... words) {
    return (MemoryStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MemoryStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("insertAll")) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              if (method.getName().equals("insert")
                  && arguments[0] instanceof Entry entry
                  && List.of(words).contains(entry.text())) {
                throw new IllegalStateException("it is not taken");
              }
              return method.invoke(durable, arguments);
            });
  }

  @Test
  void oneLineThatIsNotTakenKeepsNoOtherBack() {
    say(opened(refusing("word13")), LINES);

    assertThat(found()).isEqualTo(words(LINES).stream().filter(w -> !w.equals("word13")).toList());
  }

  @Test
  void norDoSeveralInARow() {
    say(opened(memory(failsUpTo(Integer.MAX_VALUE))), LINES);

    assertThat(opened(refusing("word10", "word11", "word12")).isEmpty()).isFalse();
    assertThat(found()).hasSize(LINES - 3).doesNotContain("word10", "word11", "word12");
  }
}
