package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.text.PrincipalName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The list of a store's conversations: whose they are, which wait or are due. Safe for several
/// threads and processes.
public interface ConversationDirectory {
  /// Creates a conversation of a principal; false, without effect, if the id exists.
  boolean create(String conversation, Header header);

  /// That id, unless the principal's key stands for another one since that moment.
  default String keyed(String principal, String key, String conversation, Instant since) {
    return conversation;
  }

  /// The selected conversations, the latest created first.
  default List<Summary> conversations(Selection selection) {
    Stream<Summary> selected =
        conversations().stream().filter(conversation -> conversation.isIn(selection));
    return selection.of(selected, Summary::position, Position.DESCENDING);
  }

  /// The conversation of that id, null if there is none.
  default @Nullable Summary conversation(String id) {
    return conversations().stream()
        .filter(conversation -> conversation.id().equals(id))
        .findFirst()
        .orElse(null);
  }

  /// The principals of these conversations, by id.
  default Map<String, String> principals(Set<String> ids) {
    return ids.stream()
        .flatMap(id -> Stream.ofNullable(conversation(id)))
        .collect(Collectors.toMap(Summary::id, known -> known.header().principal()));
  }

  /// The ids of conversations that are due at that moment, the longest due first, at most so many:
  /// a turn was interrupted, an answered call has to be settled, or a request has expired.
  List<String> due(Instant moment, int most);

  /// All conversations of the agent, in no particular order.
  List<Summary> conversations();

  /// Deletes all data of the conversation, or nothing; false if there is none.
  boolean delete(String conversation);

  /// The unanswered requests of all conversations, in the order of expiry, including expired ones
  /// that are not closed.
  default List<ConsentRequest> waiting() {
    return waiting(new Selection(null, null, Integer.MAX_VALUE));
  }

  /// The selected ones of these requests.
  List<ConsentRequest> waiting(Selection selection);

  /// A stored conversation.
  ///
  /// @param started when it was first stored; null if unknown
  /// @param last the time of its latest line, call or event; null if there is none
  /// @param waiting unanswered requests for consent, including expired ones
  /// @param running whether a process continues it, or one of several is to
  /// @param setAside whether its latest turn was ended since its process died too often
  record Summary(
      String id,
      @Nullable Instant started,
      @Nullable Instant last,
      int turns,
      int calls,
      int waiting,
      long events,
      Header header,
      boolean running,
      boolean setAside) {
    /// Its position in a list.
    public Position position() {
      return new Position(started == null ? Instant.EPOCH : started, id);
    }

    private boolean isIn(Selection selection) {
      return selection.isOf(header.principal())
          && switch (selection.activity()) {
            case ANY -> true;
            case RUNNING -> running;
            case WAITING -> waiting > 0;
          };
    }
  }

  /// A host's data of a conversation that it creates.
  ///
  /// @param tenant the principal's organisation, null for none
  /// @param agentVersion the agent's version, null if it has none
  /// @param metadata the client's own, an object
  record Header(
      String principal, @Nullable String tenant, @Nullable String agentVersion, Json metadata) {
    /// Of a conversation of [PrincipalName#LOCAL].
    public static final Header NONE = Header.of(PrincipalName.LOCAL);

    /// Data of a conversation of that principal.
    public static Header of(String principal) {
      return new Header(principal, null, null, Json.EMPTY_OBJECT);
    }
  }
}
