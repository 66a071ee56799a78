package dev.switchboard.phone;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Places;
import dev.switchboard.phone.call.CallRow;
import dev.switchboard.phone.call.CallSession;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.Carrier.Admission;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.text.ExceptionLog;
import java.lang.System.Logger.Level;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The calls in progress, of all phones of a process.
///
/// Thread-safe.
public final class Calls implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Calls.class.getName());
  private static final int MOST_OVER = 1_000; // whose ids are remembered

  private final Map<String, Line> numbers = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Map<String, Open> open = new HashMap<>(); // by id; guarded by lock
  private final Set<String> over = new LinkedHashSet<>(); // ids; guarded by lock
  private int settling; // calls that are over, while their tools run; guarded by lock
  private final List<Mount> routes = new ArrayList<>();
  private boolean draining; // guarded by lock

  private Calls() {}

  /// A phone and the agent that answers it.
  public record Answering(Phone phone, Agent agent) {}

  /// A number that is answered, and the places of its calls, by their callers.
  private record Line(Answering answering, Places places) {
    static Line of(Answering answering) {
      int most = answering.phone.settings().limits().calls();
      return new Line(answering, new Places(Bound.CALLS, most));
    }
  }

  /// A call in progress, and its place.
  private record Open(CallSession call, Places.Place place) {}

  /// The calls of several phones.
  ///
  /// @throws IllegalArgumentException when two have the same number, two carriers the same path, or
  ///   two phones of one carrier different public URLs, or an agent has no model and needs one
  public static Calls of(List<Answering> phones) {
    Calls calls = new Calls();
    Map<Carrier, String> carriers = new HashMap<>();
    Set<String> paths = new HashSet<>();
    for (Answering answered : phones) {
      if (answered.phone().needsModel() && !answered.agent().hasModel()) {
        throw new IllegalArgumentException(
            "agent '%s' has no model, which replies on calls of the engine '%s': AgentBuilder.model(..) sets it"
                .formatted(answered.agent().name(), answered.phone().engine().name()));
      }
      if (answered.agent().hasModelHooks() && !answered.phone().needsModel()) {
        LOG.log(
            Level.WARNING,
            "model hooks of agent '"
                + answered.agent().name()
                + "' are not called on the phone: the engine asks the model itself");
      }
      if (answered.phone().log() != null) {
        answered.agent().recordCallsIn(answered.phone().log());
      }
      String called = called(answered);
      if (calls.numbers.put(called, Line.of(answered)) != null) {
        throw new IllegalArgumentException("two agents answer the number '" + called + "'");
      }
      String publicUrl = answered.phone().publicUrl();
      String before = carriers.putIfAbsent(answered.phone().carrier(), publicUrl);
      if (before != null && !before.equals(publicUrl)) {
        throw new IllegalArgumentException(
            "phones of one carrier account need the same public URL, not '%s' and '%s'"
                .formatted(before, publicUrl));
      }
      if (before == null) {
        for (Mount mount :
            answered
                .phone()
                .carrier()
                .routes(publicUrl, calls.exchange(answered.phone().carrier()))) {
          if (!paths.add(mount.path())) {
            throw new IllegalArgumentException(
                "two accounts of the carrier '"
                    + answered.phone().carrier().name()
                    + "' cannot be served by one process");
          }
          calls.routes.add(mount);
        }
      }
    }
    return calls;
  }

  /// What callers call: a number, or the agent by its name.
  private static String called(Answering answering) {
    Phone phone = answering.phone();
    return phone.carrier().isTelephone() ? phone.number() : answering.agent().name();
  }

  private Carrier.Switch exchange(Carrier carrier) {
    return new Carrier.Switch() {
      @Override
      public Admission arrived(Carrier.Arrival arrival) {
        return admit(arrival, carrier);
      }

      @Override
      public void post(String call, CarrierEvent event) {
        CallSession session = find(call);
        if (session != null) {
          session.post(event);
        }
      }
    };
  }

  /// The routes for carriers, to add to a server.
  public List<Mount> routes() {
    return List.copyOf(routes);
  }

  /// The paths of the sockets over which pages call agents, by the agents' names.
  public Map<String, String> pages() {
    Map<String, String> paths = new HashMap<>();
    for (Line line : numbers.values()) {
      Answering answering = line.answering;
      if (!answering.phone().carrier().isTelephone()) {
        String name = URLEncoder.encode(answering.agent().name(), StandardCharsets.UTF_8);
        paths.put(answering.agent().name(), answering.phone().voiceUrl() + "?agent=" + name);
      }
    }
    return paths;
  }

  /// The number of calls in progress.
  public int count() {
    lock.lock();
    try {
      return open.size();
    } finally {
      lock.unlock();
    }
  }

  private Admission admit(Carrier.Arrival arrival, Carrier carrier) {
    Line line = numbers.get(arrival.to());
    if (line == null || !line.answering.phone().carrier().equals(carrier)) {
      return new Admission.UnknownNumber();
    }
    Answering answering = line.answering;
    boolean gone = find(arrival.id()) == null && hasRow(arrival.id(), answering.agent());
    lock.lock();
    try {
      if (open.containsKey(arrival.id())) {
        return new Admission.Taken(answering.phone().engine().medium());
      }
      // A repeated request may arrive after the call has ended.
      if (draining || gone || over.contains(arrival.id()) || line.places.isFull(arrival.from())) {
        return new Admission.Busy(answering.phone().settings().words().of(Phrase.BUSY));
      }
      CallSession call = start(arrival, answering);
      open.put(arrival.id(), new Open(call, line.places.enter(arrival.from())));
      return new Admission.Taken(answering.phone().engine().medium());
    } finally {
      lock.unlock();
    }
  }

  /// Whether a process has answered the call before, and may have died: then it is not answered
  /// again.
  private static boolean hasRow(String id, Agent agent) {
    ConversationStore store = agent.store();
    try {
      return store != null && CallRow.find(store, id) != null;
    } catch (RuntimeException thrown) {
      ExceptionLog.warn(LOG, "the stored calls cannot be read", thrown);
      return false;
    }
  }

  private CallSession start(Carrier.Arrival arrival, Answering answering) {
    Phone phone = answering.phone();
    return CallSession.start(
        arrival,
        new CallSession.Parts(
            answering.agent(),
            phone.engine(),
            phone.carrier(),
            phone.settings(),
            phone.time(),
            phone
                .hooks()
                .of(
                    arrival,
                    CallFiles.recorder(
                        phone.log(), arrival, answering.agent().name(), phone.time())),
            this::forget));
  }

  private void forget(CallSession call) {
    lock.lock();
    try {
      Open current = open.remove(call.id());
      if (current != null) {
        current.place.close();
      }
      over.add(call.id());
      if (over.size() > MOST_OVER) {
        over.remove(over.iterator().next());
      }
      settling++;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    call.whenReleased(this::settled);
  }

  private void settled() {
    lock.lock();
    try {
      settling--;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable CallSession find(String id) {
    lock.lock();
    try {
      Open current = open.get(id);
      return current == null ? null : current.call;
    } finally {
      lock.unlock();
    }
  }

  /// Accepts no new calls; running calls continue as long as their phones allow, and then end with
  /// a goodbye.
  public void drain() {
    Duration longest = Duration.ZERO;
    for (Line line : numbers.values()) {
      Duration drain = line.answering.phone().settings().limits().drain();
      longest = drain.compareTo(longest) > 0 ? drain : longest;
    }
    awaitEnd(longest);
    close();
  }

  /// Accepts no new calls, says goodbye on running ones, and waits for their end and for the
  /// results of their tools, at most 15 seconds.
  @Override
  public void close() {
    awaitEnd(Duration.ZERO);
    List<CallSession> left;
    lock.lock();
    try {
      left = open.values().stream().map(Open::call).toList();
    } finally {
      lock.unlock();
    }
    left.forEach(call -> call.goodbye("shutdown"));
    awaitEnd(Duration.ofSeconds(15));
  }

  private void awaitEnd(Duration patience) {
    long left = patience.toNanos();
    lock.lock();
    try {
      draining = true;
      while ((!open.isEmpty() || settling > 0) && left > 0) {
        left = ended.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
