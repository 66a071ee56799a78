package dev.switchboard.contract;

import static dev.switchboard.contract.ConversationWritesContract.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.state.Selection.Activity;
import dev.switchboard.state.WaitingCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How every store lists by pages.
public interface PagesContract {
  /// Opens the store; each opening has the same conversations.
  ConversationStore open();

  @Test
  default void listsOpenRequestsByPagesOfEachPrincipal() {
    for (String id : List.of("a", "B", "c-d", "c", "e")) {
      assertThat(open().directory().create(id, Header.of(id.equals("B") ? "yan" : "zoe"))).isTrue();
      ask(open(), id, NOON, NOON.plusSeconds(5), NOON.minusSeconds(5));
    }
    List<String> all = requests(null, null);
    assertThat(all).hasSize(15).doesNotHaveDuplicates();
    assertThat(all.subList(0, 5)).containsExactly("B:2", "a:2", "c-d:2", "c:2", "e:2");
    assertThat(requests("yan", null)).containsExactly("B:2", "B:0", "B:1");
    assertThat(requests("zoe", null))
        .isEqualTo(all.stream().filter(id -> !id.startsWith("B")).toList());
    assertThat(requests("nobody", null)).isEmpty();
    assertThat(requests(null, Position.after(NOON)))
        .containsExactly("B:1", "a:1", "c-d:1", "c:1", "e:1");
    assertThat(requests(null, new Position(NOON, "c-d:0"))).startsWith("c:0", "e:0", "B:1");
  }

  @Test
  default void aRequestLeavesTheListWithItsAnswerOrItsConversation() {
    for (String id : List.of("a", "b", "c")) {
      assertThat(open().directory().create(id, Header.of("zoe"))).isTrue();
      ask(open(), id, NOON, NOON.plusSeconds(1));
    }
    put(open(), "a", new WaitingCall(request("a", 0, NOON), NOON));
    put(open(), "b", new WaitingCall(request("b", 1, NOON.plusSeconds(9)), null));

    assertThat(requests("zoe", null)).containsExactly("c:0", "c:1", "b:1");
    assertThat(open().directory().waiting())
        .extracting(ConsentRequest::expiresAt)
        .containsExactly(NOON, NOON.plusSeconds(1), NOON.plusSeconds(9));
    assertThat(open().directory().delete("c")).isTrue();
    assertThat(requests(null, null)).containsExactly("b:1");
  }

  @Test
  default void listsWaitingConversationsByPages() {
    for (int i = 0; i < 9; i++) {
      assertThat(open().directory().create("c" + i, Header.of(i % 2 == 0 ? "zoe" : "yan")))
          .isTrue();
    }
    for (int i = 0; i < 9; i += 3) {
      ask(open(), "c" + i, NOON, NOON.plusSeconds(1));
    }
    assertThat(conversations(null, Activity.WAITING)).containsExactlyInAnyOrder("c0", "c3", "c6");
    assertThat(conversations("zoe", Activity.WAITING)).containsExactlyInAnyOrder("c0", "c6");
    List<String> all = conversations(null, Activity.ANY);
    assertThat(all.stream().filter(id -> id.matches("c[036]")).toList())
        .isEqualTo(conversations(null, Activity.WAITING));
    put(open(), "c3");
    assertThat(conversations(null, Activity.WAITING)).containsExactlyInAnyOrder("c0", "c6");
  }

  private List<String> requests(@Nullable String principal, @Nullable Position before) {
    List<String> ids = new ArrayList<>();
    List<ConsentRequest> page;
    Selection next = new Selection(principal, before, 2);
    do {
      page = open().directory().waiting(next);
      page.forEach(one -> ids.add(one.qualifiedId()));
      next = page.isEmpty() ? next : next.after(Position.of(page.getLast()));
    } while (page.size() == 2);
    return ids;
  }

  private List<String> conversations(@Nullable String principal, Activity activity) {
    List<String> ids = new ArrayList<>();
    List<Summary> page;
    Selection next = new Selection(principal, activity, null, 2);
    do {
      page = open().directory().conversations(next);
      page.forEach(one -> ids.add(one.id()));
      next = page.isEmpty() ? next : next.after(page.getLast().position());
    } while (page.size() == 2);
    return ids;
  }

  /// Asks for consent in a conversation, in requests that expire then.
  static void ask(ConversationStore store, String conversation, Instant... expiry) {
    put(
        store,
        conversation,
        Stream.iterate(0, i -> i < expiry.length, i -> i + 1)
            .map(i -> new WaitingCall(request(conversation, i, expiry[i]), null))
            .toArray(WaitingCall[]::new));
  }

  private static ConsentRequest request(String conversation, int id, Instant expiry) {
    return ConversationStoreContract.request(conversation, "" + id, expiry);
  }

  private static void put(ConversationStore store, String conversation, WaitingCall... waiting) {
    Cell<ConversationState> cell = store.state(conversation);
    ConversationState next =
        new ConversationState(0, RuleState.NEW, null, List.of(waiting), Set.of());
    assertThat(cell.replace(cell.load(), next)).isTrue();
  }
}
