package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Position;
import dev.switchboard.state.Restarts;
import dev.switchboard.state.Selection;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The requests for consent in an agent's storage, to be answered, among them those whose answer
/// was given and whose process died before the call had its result. To look at them changes
/// nothing: expired ones are left out here, and closed by the process that has the conversation, or
/// when one is answered.
final class OpenRequests {
  private static final int MOST_NAMES = 5;
  private static final int MOST_LEFT = 10_000;

  private final StoredAgent agent;
  private final ConversationStore store;
  private final ToolExecutor executor;
  private final Consumer<Event> events;
  private final List<ConsentRequest> open;
  private final Set<ConsentRequest> left; // those that a process died with after the answer
  private @Nullable ToolSession running; // whose call runs; guarded by this
  private boolean cancelled; // guarded by this

  private OpenRequests(StoredAgent agent, ToolExecutor executor, Consumer<Event> events) {
    this.agent = agent;
    store = agent.store();
    this.executor = executor;
    this.events = events;
    Instant now = store.time().now();
    left =
        store.directory().due(now, MOST_LEFT).stream()
            .flatMap(id -> Restarts.left(store.state(id).load().value(), now).stream())
            .filter(request -> session(request.conversation()).result(request.id()) == null)
            .collect(Collectors.toSet());
    Selection all = new Selection(null, Position.after(now), Integer.MAX_VALUE);
    open =
        Stream.concat(store.directory().waiting(all).stream(), left.stream())
            .sorted(Comparator.comparing(ConsentRequest::expiresAt))
            .toList();
  }

  /// The requests of that agent. Tools made in Java are missing here, so their calls can be shown
  /// and denied, but not run.
  ///
  /// @param events receives the events of answered calls
  static OpenRequests of(StoredAgent agent, Consumer<Event> events) {
    ToolExecutor executor =
        Switchboard.executor(agent.file(), agent.storage().memory())
            .registry(new ToolRegistry())
            .store(agent.store())
            .build();
    return new OpenRequests(agent, executor, events);
  }

  /// Opens a conversation as its principal: a user who can read the storage may answer for all.
  private ToolSession session(String conversation) {
    String owner = store.load(conversation).principal();
    return ToolSession.builder(conversation)
        .principal(owner == null ? PrincipalName.LOCAL : owner)
        .events(events)
        .store(store)
        .time(store.time())
        .build();
  }

  /// The unanswered requests, in the order they expire.
  List<ConsentRequest> all() {
    return open;
  }

  /// A request on the command line.
  ///
  /// @param id of the call, or `CONVERSATION/ID`
  /// @param conversation null for any
  record Name(String id, @Nullable String conversation) {
    boolean names(ConsentRequest request) {
      if (conversation != null) {
        return request.id().equals(id) && request.conversation().equals(conversation);
      }
      return request.id().equals(id) || full(request).equals(id);
    }
  }

  private static String full(ConsentRequest request) {
    return request.conversation() + "/" + request.id();
  }

  /// The open request of that name, null if there is none.
  ///
  /// @throws Failure when several have the name
  @Nullable ConsentRequest find(Name name) {
    List<ConsentRequest> found = open.stream().filter(name::names).toList();
    if (found.size() > 1) {
      String names = found.stream().map(OpenRequests::full).collect(Collectors.joining("', '"));
      throw Failure.usage(
          "'" + name.id + "' is the id of several requests: '" + names + "'.", null);
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  /// Why the request of that name is not open, a sentence; if several conversations had such a
  /// request, with the names of the others.
  String missing(Name name) {
    if (isCancelled()) {
      return "The request '" + name.id + "' stays open: a signal has ended the command.";
    }
    store.directory().waiting().stream()
        .filter(request -> !open.contains(request) && name.names(request))
        .forEach(request -> executor.expire(session(request.conversation())));
    List<Closed> closed =
        store.directory().conversations().stream()
            .flatMap(conversation -> closed(name, conversation.id()))
            .sorted(Comparator.comparing((Closed each) -> each.answer.at()).reversed())
            .toList();
    if (closed.isEmpty()) {
      return "No request '" + name.id + "' is open.";
    }
    Closed latest = closed.getFirst();
    return closed.size() == 1
        ? fate(name.id, latest)
        : fate(latest.full(), latest) + " " + earlier(closed.subList(1, closed.size()));
  }

  /// An answered request.
  private record Closed(String conversation, ConsentAnswer answer) {
    String full() {
      return conversation + "/" + answer.id();
    }
  }

  private Stream<Closed> closed(Name name, String conversation) {
    if (name.conversation != null && !name.conversation.equals(conversation)) {
      return Stream.empty();
    }
    ConversationState state = store.state(conversation).load().value();
    String begin = conversation + "/";
    String rest = name.id.startsWith(begin) ? name.id.substring(begin.length()) : name.id;
    return Stream.of(name.id, rest)
        .distinct()
        .flatMap(id -> Stream.ofNullable(state.answer(id)))
        .map(answer -> new Closed(conversation, answer));
  }

  private String fate(String shown, Closed request) {
    String begin = "The request '" + shown + "' " + request.answer.words() + ", and its call ";
    if (!request.answer.approved()) {
      return begin + "is refused.";
    }
    ToolResult result = session(request.conversation).result(request.answer.id());
    if (result == null) {
      return begin + "has not ended yet.";
    }
    return begin + (result.success() ? "has run." : "has failed: " + OneCall.reason(result));
  }

  private static String earlier(List<Closed> others) {
    String names =
        others.stream().limit(MOST_NAMES).map(Closed::full).collect(Collectors.joining("', '"));
    int more = others.size() - MOST_NAMES;
    return "Earlier ones of that id: '"
        + names
        + "'"
        + (more > 0 ? " and " + more + " more." : ".");
  }

  /// The result of the call; empty if the request was answered elsewhere meanwhile.
  ///
  /// @throws Failure when the answer's arguments are not valid
  Optional<ToolResult> answer(ConsentRequest request, Answer answer) {
    if (answer instanceof Answer.Approved
        && agent.file().javaTools().contains(request.call().name())) {
      throw Failure.usage(
          "The request stays open: '%s' is made in Java, and this command runs only the tools of %s."
              .formatted(request.call().name(), agent.path()),
          null);
    }
    ToolSession session = session(request.conversation());
    if (!begins(session)) {
      return Optional.empty();
    }
    try {
      if (left.contains(request)) {
        executor.expire(session);
      }
      return executor.answer(request.id(), answer, session);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("The request stays open: " + e.getMessage(), e);
    } finally {
      ends();
    }
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  private synchronized boolean begins(ToolSession session) {
    running = cancelled ? null : session;
    return !cancelled;
  }

  private synchronized void ends() {
    running = null;
  }

  /// Cancels the running call if its tool may be cancelled; no other begins.
  void cancel() {
    ToolSession session;
    synchronized (this) {
      cancelled = true;
      session = running;
    }
    if (session != null) {
      session.cancel();
    }
  }
}
