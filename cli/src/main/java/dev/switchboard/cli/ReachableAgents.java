package dev.switchboard.cli;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Inbox;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.StoreException;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.store.Storage;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The agents that those of one process reach: each sends messages to the user of its conversation,
/// to the other agents of the process, and to groups and channels that the files declare. An agent
/// with workers reaches instead all agents that processes serve from its database.
///
/// Agents of a database are looked for every [#LOOK]. For one thread; the routers are thread-safe.
final class ReachableAgents implements AutoCloseable {
  /// How often a process makes its agents known, and looks for others.
  static final Duration LOOK = Duration.ofSeconds(10);

  /// How long an agent is offered after a process has last made it known.
  static final Duration KNOWN = Duration.ofMinutes(10);

  private static final System.Logger LOG = System.getLogger(ReachableAgents.class.getName());

  private final Map<Target, List<String>> declared = new TreeMap<>(ReachableAgents::inOrder);
  private final List<String> notes = new ArrayList<>();
  private final List<String> local;
  private final Map<String, Joined> joined = new LinkedHashMap<>();
  private final Map<String, Inbox> inboxes = new LinkedHashMap<>();
  private final RateLimitedLog warnings = new RateLimitedLog(Time.SYSTEM::nanos);
  private final List<Look> looks = new ArrayList<>(); // guarded by this, once open
  private final CountDownLatch closing = new CountDownLatch(1);

  /// An agent of this process.
  ///
  /// @param shared the database where its agents are found, null for those of this process
  private record Joined(LocalRouter router, @Nullable Storage shared) {}

  /// @param files of all agents of the process
  ReachableAgents(List<AgentFile> files) {
    local =
        files.stream()
            .filter(file -> file.cluster() == null)
            .map(file -> file.agent().name())
            .distinct()
            .toList();
    files.forEach(
        file -> file.recipients().forEach((target, agents) -> declare(file, target, agents)));
  }

  private void declare(AgentFile file, Target target, List<String> agents) {
    List<String> earlier = declared.putIfAbsent(target, agents);
    if (earlier != null && !earlier.equals(agents)) {
      notes.add(
          "The %s '%s' has other agents in the file of agent '%s' than in an earlier file, which"
                  .formatted(target.type(), target.id(), file.agent().name())
              + " counts.");
    }
  }

  private static int inOrder(Target one, Target other) {
    int types = other.type().compareTo(one.type()); // groups first
    return types != 0 ? types : one.id().compareTo(other.id());
  }

  /// Lets an agent of these files reach the others.
  ///
  /// @param storage of the agent, null for none
  AgentBuilder join(AgentBuilder agent, AgentFile file, @Nullable Storage storage, Time time) {
    String name = file.agent().name();
    Storage shared = file.cluster() == null ? null : storage;
    if (shared == null && (file.cluster() != null || local.size() == 1)) {
      return agent;
    }
    Joined own = new Joined(new LocalRouter(time), shared);
    joined.put(name, own);
    if (shared != null) {
      shared.serve(List.of(name));
    }
    return agent.router(own.router, targets(others(name, own)));
  }

  /// The other agents that the agent reaches, in alphabetical order.
  private Set<String> others(String name, Joined own) {
    Set<String> others = new TreeSet<>(own.shared == null ? local : own.shared.served(KNOWN));
    others.remove(name);
    return others;
  }

  /// What the agent may send messages to.
  private List<Target> targets(Set<String> others) {
    List<Target> targets = new ArrayList<>(List.of(Target.USER));
    others.forEach(other -> targets.add(new Target("agent", other)));
    declared.forEach((target, agents) -> {
      if (!members(agents, others).isEmpty()) {
        targets.add(target);
      }
    });
    return targets;
  }

  private static List<Target> members(List<String> agents, Set<String> others) {
    return agents.stream()
        .distinct()
        .filter(others::contains)
        .map(agent -> new Target("agent", agent))
        .toList();
  }

  /// Delivers to these agents from now on. May be called again if the database was away.
  ///
  /// @throws StoreException when the other agents of a database cannot be read
  void open(List<Agent> agents) {
    looks.clear();
    for (Agent agent : agents) {
      Joined own = joined.get(agent.name());
      if (own == null) {
        continue;
      }
      own.router.user(agent.users());
      looks.add(new Look(agent, own));
      if (own.shared == null) {
        inboxes.computeIfAbsent(agent.name(), name -> Inbox.of(agent));
      }
    }
    looks.forEach(Look::connect);
    if (joined.values().stream().anyMatch(own -> own.shared != null)) {
      Thread unused = Thread.ofVirtual().name("neighbours").start(this::lookOn);
    }
  }

  private void lookOn() {
    try {
      while (!closing.await(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Makes the agents with workers known, and looks for others.
  synchronized void look() {
    looks.forEach(Look::again);
  }

  /// What is known of an agent's others.
  private final class Look {
    private final Agent agent;
    private final Joined own;
    private Set<String> known = Set.of();

    Look(Agent agent, Joined own) {
      this.agent = agent;
      this.own = own;
    }

    void again() {
      Storage shared = own.shared;
      if (shared == null) {
        return;
      }
      try {
        shared.serve(List.of(agent.name()));
        connect();
      } catch (StoreException e) {
        warnings.warn(LOG, "other agents of the database cannot be looked for", e);
      }
    }

    void connect() {
      Set<String> others = others(agent.name(), own);
      if (others.equals(known)) {
        return;
      }
      for (String other : others) {
        Storage shared = own.shared;
        own.router.agent(
            other,
            shared == null ? inbox(other) : Inbox.shared(other, shared.conversations(other)));
      }
      declared.forEach((target, agents) -> {
        List<Target> members = members(agents, others);
        if (target.type().equals("group")) {
          own.router.group(target.id(), members);
        } else {
          own.router.channel(target.id(), members);
        }
      });
      agent.offerTargets(targets(others));
      known = others;
    }
  }

  /// What the owner of the process should know, sentences, once its agents are open.
  ///
  /// @param files of the agents, in their order
  List<String> notes(List<AgentFile> files, List<Agent> agents) {
    List<String> all = new ArrayList<>(notes);
    for (int i = 0; i < files.size(); i++) {
      all.addAll(missingBlocks(files.get(i), agents.get(i)));
    }
    return all;
  }

  /// What the owner of the process should know of blocks that its agents share, sentences.
  static List<String> missingBlocks(AgentFile file, Agent agent) {
    List<MemoryStore.Share> shares = file.agent().memory().shares();
    if (shares.isEmpty()) {
      return List.of();
    }
    List<String> there =
        agent.memory().blocks().stream()
            .filter(view -> !view.block().agent().equals(agent.name()))
            .map(view -> view.block().label())
            .toList();
    return shares.stream()
        .filter(share -> !there.contains(share.label()))
        .map(share ->
            ("Agent '%s' shares block '%s' of agent '%s', which is not in its memory so far: both"
                    + " need the same [storage], or one server without storage.")
                .formatted(agent.name(), share.label(), share.owner()))
        .toList();
  }

  /// The inbox of the agent of that name.
  Inbox inbox(String agent) {
    Inbox inbox = inboxes.get(agent);
    if (inbox == null) {
      throw new IllegalArgumentException("agent '" + agent + "' is not open");
    }
    return inbox;
  }

  /// Accepts no more messages, and returns when those that came are read.
  @Override
  public void close() {
    closing.countDown();
    inboxes.values().forEach(Inbox::close);
  }
}
