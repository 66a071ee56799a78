package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class InProcessConversationsTest implements ConversationStoreContract {
  @Test
  void forgetsWhatIsAtRestLongestWhereThereAreTooMany() {
    InProcessConversations few = new InProcessConversations(3);
    for (String id : List.of("a", "b", "c", "d", "e")) {
      assertThat(few.create(id, ConversationStore.Header.NONE)).isTrue();
    }
    assertThat(few.conversations())
        .extracting(ConversationStore.Summary::id)
        .hasSize(3)
        .contains("e");
  }

  @Test
  void forgetsWhatIsAtRestLongestWhereTheyHoldTooMuch() {
    InProcessConversations small = new InProcessConversations(100, 1_000);
    Json text = Json.of("x".repeat(300));
    for (String id : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
      assertThat(small.append(id, 0, new ConversationStore.Line("turn1/input", text))).isTrue();
      assertThat(small.conversations()).hasSizeBetween(1, 4);
    }
    assertThat(small.lines("h", 9)).hasSize(1);
    assertThat(small.lines("a", 9)).isEmpty();
  }

  private final InProcessConversations store = new InProcessConversations();

  @Override
  public ConversationStore open() {
    return store;
  }
}
