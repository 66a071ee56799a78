package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.contract.ConversationStoreContract;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InProcessConversationsTest implements ConversationStoreContract {
  @Test
  void forgetsWhatIsAtRestLongestWhereThereAreTooMany() {
    InProcessConversations few = new InProcessConversations(3);
    for (String id : List.of("a", "b", "c", "d", "e")) {
      assertThat(few.create(id, ConversationDirectory.Header.NONE)).isTrue();
    }
    assertThat(few.conversations())
        .extracting(ConversationDirectory.Summary::id)
        .hasSize(3)
        .contains("e");
  }

  @Test
  void aPrincipalsOwnIdleConversationsMakeRoomAndNoOneElses() {
    InProcessConversations few = new InProcessConversations(4);
    for (String id : List.of("a1", "a2")) {
      assertThat(few.create(id, ConversationDirectory.Header.of("ada"))).isTrue();
    }
    for (String id : List.of("b1", "b2", "b3", "b4", "b5")) {
      assertThat(few.create(id, ConversationDirectory.Header.of("bob"))).isTrue();
    }
    assertThat(few.conversations())
        .extracting(ConversationDirectory.Summary::id)
        .contains("a1", "a2", "b5")
        .hasSize(4);

    assertThatThrownBy(() -> few.create("e1", ConversationDirectory.Header.of("eve")))
        .isInstanceOf(FullException.class)
        .hasMessage("There are too many conversations that are not stored.");
    assertThat(few.create("a1", ConversationDirectory.Header.of("eve"))).isFalse();
  }

  @Test
  void theUsersOfATokenLeaveRoomForOthers() {
    InProcessConversations few = new InProcessConversations(8);
    for (String user : List.of("be/one", "be/two", "be/three", "be/four")) {
      assertThat(few.create(user, ConversationDirectory.Header.of(user))).isTrue();
    }
    assertThatThrownBy(() -> few.create("more", ConversationDirectory.Header.of("be/five")))
        .isInstanceOf(FullException.class);
    assertThat(few.create("again", ConversationDirectory.Header.of("be/one"))).isTrue();
    assertThat(few.conversation("be/one")).isNull();
    assertThat(few.conversation("be/two")).isNotNull();
    for (String stranger : List.of("ada", "bob", "eve", "zoe")) {
      assertThat(few.create(stranger, ConversationDirectory.Header.of(stranger))).isTrue();
    }
    assertThat(few.delete("ada")).isTrue();
    assertThat(few.create("yan", ConversationDirectory.Header.of("yan"))).isTrue();
  }

  @Test
  void usersOfOneTokenShareItsMemoryLimit() {
    InProcessConversations small = new InProcessConversations(100, 1_000);
    Json text = Json.of("x".repeat(300));
    for (String user : List.of("be/one", "be/two", "be/three", "be/four")) {
      assertThat(small.create(user, ConversationDirectory.Header.of(user))).isTrue();
      assertThat(small.append(user, 0, new ConversationStore.Line("turn1/input", text))).isTrue();
    }
    assertThat(small.create("a1", ConversationDirectory.Header.of("ada"))).isTrue();
    assertThat(small.conversation("be/one")).isNull();
    assertThat(small.conversation("be/four")).isNotNull();
  }

  @Test
  void keysOfTheUsersOfATokenEndNoOnesElse() {
    Instant never = Instant.EPOCH;
    assertThat(store.keyed("ada", "k", "first", never)).isEqualTo("first");
    for (int i = 0; i < Bound.KEYS.all(); i++) {
      String unused = store.keyed("be/u" + i, "k", "c" + i, never);
    }
    assertThat(store.keyed("ada", "k", "second", never)).isEqualTo("first");
    assertThat(store.keyed("bob", "k", "first", never)).isEqualTo("first");
    assertThat(store.keyed("bob", "k", "second", never)).isEqualTo("first");
  }

  @Test
  void tellsWhichOnesWereReplacedButNotWhichWereDeleted() {
    List<String> gone = new ArrayList<>();
    InProcessConversations few =
        new InProcessConversations(4, (principal, id) -> gone.add(principal + " " + id));
    for (String id : List.of("b1", "b2", "b3", "b4")) {
      assertThat(few.create(id, ConversationDirectory.Header.of("bob"))).isTrue();
    }
    assertThat(few.delete("b4")).isTrue();
    assertThat(gone).containsExactlyInAnyOrder("bob b1", "bob b2");
  }

  @Test
  void whoUsesMoreThanHalfOfTheMemoryMakesRoomForOthers() {
    InProcessConversations small = new InProcessConversations(100, 1_000);
    Json text = Json.of("x".repeat(400));
    for (String id : List.of("b1", "b2", "b3")) {
      assertThat(small.create(id, ConversationDirectory.Header.of("bob"))).isTrue();
      assertThat(small.append(id, 0, new ConversationStore.Line("turn1/input", text))).isTrue();
    }
    assertThat(small.create("a1", ConversationDirectory.Header.of("ada"))).isTrue();
    assertThat(small.conversation("a1")).isNotNull();
    assertThat(small.conversation("b3")).isNotNull();
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
