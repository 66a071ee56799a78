package dev.switchboard.server;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.state.Selection.Activity;
import dev.switchboard.text.DerivedId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The agents of a server and all their conversations. An id is unique in the server, and a
/// conversation belongs to a principal; other principals cannot see it.
///
/// Thread-safe.
final class Agents {
  private static final int MOST_PAGES = 20; // that are read of an agent for one page
  private static final Pattern ID = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_.:~-]{1,128}");

  private final Map<String, ServedAgent> byName = new LinkedHashMap<>();
  private final ReentrantLock creating = new ReentrantLock();

  /// @throws IllegalArgumentException when two have the same name
  Agents(List<ServedAgent> agents) {
    for (ServedAgent agent : agents) {
      if (byName.putIfAbsent(agent.name(), agent) != null) {
        throw new IllegalArgumentException("two agents are named '" + agent.name() + "'");
      }
    }
  }

  /// A conversation and its agent.
  record ConversationRef(ServedAgent agent, Summary summary) {
    static final String RUNNING = "running";
    static final String WAITING = "waiting";
    static final String SET_ASIDE = "set_aside";
    static final String IDLE = "idle";

    /// Whether a turn runs, it waits for a person, or neither; then, whether its latest turn has
    /// ended the process that ran it too often.
    String status() {
      if (agent.isRunning(summary)) {
        return RUNNING;
      }
      if (summary.waiting() > 0) {
        return WAITING;
      }
      return summary.setAside() ? SET_ASIDE : IDLE;
    }
  }

  /// All agents, in the given order.
  Collection<ServedAgent> all() {
    return byName.values();
  }

  /// Prevents new turns, and ends the streams.
  void drain() {
    byName.values().forEach(ServedAgent::drain);
  }

  /// Closes all open conversations, each when its turn ends or at that moment.
  ///
  /// @param end as [System#nanoTime]
  void close(long end) {
    for (ServedAgent agent : byName.values()) {
      for (LiveConversation live : agent.conversations().all()) {
        await(live, end - System.nanoTime());
        agent.conversations().close(live);
      }
    }
  }

  private static void await(LiveConversation live, long nanos) {
    try {
      boolean unused = live.join(Duration.ofNanos(Math.max(1, nanos)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The agent of that name.
  ///
  /// @throws Problem `not_found` when there is none
  ServedAgent named(String name) {
    ServedAgent agent = byName.get(name);
    if (agent == null) {
      throw Problem.of(
          404, "not_found", "There is no agent of that name; `GET /v1/agents` lists them.");
    }
    return agent;
  }

  /// The conversation of that id, if the principal may see it.
  ///
  /// @throws Problem `not_found` when there is none
  ConversationRef find(String id, Principal principal) {
    ConversationRef found = find(id);
    if (found == null || !isVisible(found.summary, principal)) {
      throw Problem.notFound();
    }
    return found;
  }

  /// The conversation of that id, in which the principal may act.
  ///
  /// @throws Problem `not_found` when there is none, `forbidden` when the principal may only read
  ///   it
  ConversationRef own(String id, Principal principal) {
    return own(find(id, principal), principal);
  }

  private static ConversationRef own(ConversationRef found, Principal principal) {
    String owner = found.summary.header().principal();
    if (!principal.name().equals(owner)) {
      throw Problem.forbidden(
          "The conversation belongs to '%s'; to talk or call in it, send the header 'X-Act-For: %s'."
              .formatted(owner, owner));
    }
    return found;
  }

  /// The conversation of that id, of any principal; null if there is none.
  @Nullable ConversationRef find(String id) {
    if (!ID.matcher(id).matches()) {
      return null;
    }
    for (ServedAgent agent : byName.values()) {
      Summary known = agent.find(id);
      if (known != null) {
        return new ConversationRef(agent, known);
      }
    }
    return null;
  }

  /// The conversation of the request of that qualified id, if the principal may answer it.
  ///
  /// @throws Problem `not_found` when there is none
  ConversationRef findRequest(String id, Principal principal) {
    String conversation = ConsentRequest.conversationOf(id);
    ConversationRef found = conversation == null ? null : find(conversation);
    if (found == null || !mayAnswer(principal, found.summary.header().principal())) {
      throw Problem.notFound();
    }
    return found;
  }

  /// Whether that principal may see and answer requests in conversations of that owner.
  static boolean mayAnswer(Principal principal, @Nullable String owner) {
    return principal.mayForAll(Permission.ANSWER_ALL)
        || principal.may(Permission.ANSWER_OWN) && principal.name().equals(owner);
  }

  /// Whether that principal may see the conversation.
  static boolean isVisible(Summary conversation, Principal principal) {
    return principal.mayForAll(Permission.OPERATE)
        || principal.name().equals(conversation.header().principal());
  }

  /// The conversation of that id with that agent, created for the principal if it does not exist.
  ///
  /// @throws Problem `not_found` when it belongs to another principal or agent, and `bad_request`
  ///   when the id is invalid
  LiveConversation open(ServedAgent agent, String id, Principal principal) {
    return open(agent, id, principal, Header.of(principal.name()));
  }

  /// The conversation of that id with that agent.
  ///
  /// @param header of a conversation to create; null to create none
  /// @throws Problem as the other
  LiveConversation open(
      ServedAgent agent, String id, Principal principal, @Nullable Header header) {
    ConversationRef found = find(id);
    if (found == null && header != null) {
      boolean unused = create(agent, id, header);
      found = find(id);
    }
    if (found == null || found.agent != agent || !isVisible(found.summary, principal)) {
      throw Problem.notFound();
    }
    return agent.open(own(found, principal).summary);
  }

  /// Creates a conversation; false if one of that id exists.
  ///
  /// @throws Problem `bad_request` when the id is invalid
  private boolean create(ServedAgent agent, String id, Header header) {
    if (!DerivedId.mayBeChosen(id)) {
      throw Problem.badRequest(
          "The id of a new conversation has 1 to 128 characters of A-Z, a-z, 0-9 and `_.:-`, and is"
              + " not `.` or `..`.");
    }
    creating.lock();
    try {
      return find(id) == null && agent.store().directory().create(id, header);
    } finally {
      creating.unlock();
    }
  }

  /// A page of conversations.
  ///
  /// @param next the position after which there may be more, null if there is none
  record Page(List<ConversationRef> items, @Nullable Position next) {}

  /// Conversations of all agents, or of one, the latest created first.
  ///
  /// @param agent null for all
  /// @param status null for any; otherwise fewer than requested may be returned although there are
  ///   more
  Page select(@Nullable ServedAgent agent, @Nullable String status, Selection selection) {
    Stream<ServedAgent> asked = agent == null ? byName.values().stream() : Stream.of(agent);
    List<Page> each = asked.map(one -> selectOf(one, status, selection)).toList();
    // After it, those of an agent are not known.
    Position end =
        each.stream()
            .flatMap(page -> Stream.ofNullable(page.next))
            .min(Position.DESCENDING)
            .orElse(null);
    List<ConversationRef> items =
        each.stream()
            .flatMap(page -> page.items.stream())
            .filter(found ->
                end == null || Position.DESCENDING.compare(found.summary.position(), end) <= 0)
            .sorted(Comparator.comparing(found -> found.summary.position(), Position.DESCENDING))
            .limit(selection.most())
            .toList();
    return new Page(
        items, items.size() == selection.most() ? items.getLast().summary.position() : end);
  }

  /// Reads further pages only while few conversations have that status.
  private static Page selectOf(ServedAgent agent, @Nullable String status, Selection selection) {
    List<ConversationRef> items = new ArrayList<>();
    Selection next = selection;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      List<Summary> page = page(agent, status, next);
      for (Summary summary : page) {
        ConversationRef found = new ConversationRef(agent, summary);
        next = next.after(summary.position());
        if (status == null || status.equals(found.status())) {
          items.add(found);
        }
        if (items.size() == selection.most()) {
          return new Page(items, next.before());
        }
      }
      if (page.size() < selection.most()) {
        return new Page(items, null);
      }
    }
    return new Page(items, next.before());
  }

  private static List<Summary> page(
      ServedAgent agent, @Nullable String status, Selection selection) {
    boolean running = ConversationRef.RUNNING.equals(status);
    if (running && agent.queue() == null) {
      return selection.of(
          agent.running().filter(one -> selection.isOf(one.header().principal())),
          Summary::position,
          Position.DESCENDING);
    }
    Activity activity =
        running
            ? Activity.RUNNING
            : ConversationRef.WAITING.equals(status) ? Activity.WAITING : Activity.ANY;
    return agent.store().directory().conversations(selection.with(activity));
  }
}
