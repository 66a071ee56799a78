package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
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

  private final InProcessConversations store = new InProcessConversations();

  @Override
  public ConversationStore open() {
    return store;
  }
}
