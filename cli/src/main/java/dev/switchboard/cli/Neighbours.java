package dev.switchboard.cli;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Inbox;
import dev.switchboard.config.AgentFile;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The agents of one process, which send each other messages: each reaches the user of its
/// conversation, every other agent, and the groups that the files declare.
///
/// For one thread; the routers are thread-safe.
final class Neighbours implements AutoCloseable {
  private final List<String> names;
  private final Map<String, List<Target>> groups = new TreeMap<>();
  private final Map<String, LocalRouter> routers = new LinkedHashMap<>();
  private final Map<String, Inbox> inboxes = new LinkedHashMap<>();

  /// @param files of all agents of the process; those whose turns run in workers are not reached
  Neighbours(List<AgentFile> files) {
    names =
        files.stream()
            .filter(file -> file.cluster() == null)
            .map(file -> file.agent().name())
            .distinct()
            .toList();
    files.forEach(file -> file.groups().forEach(this::declare));
  }

  /// Members without an agent in this process do not exist; neither does a group of these alone.
  private void declare(String group, List<String> agents) {
    List<Target> members =
        agents.stream().filter(names::contains).map(name -> new Target("agent", name)).toList();
    if (!members.isEmpty()) {
      groups.putIfAbsent(group, members);
    }
  }

  /// Lets an agent of these files reach the others.
  AgentBuilder join(AgentBuilder agent, String name, Time time) {
    if (names.size() == 1 || !names.contains(name)) {
      return agent;
    }
    LocalRouter router = new LocalRouter(time);
    List<Target> targets = new ArrayList<>(List.of(Target.USER));
    others(name).forEach(other -> targets.add(new Target("agent", other)));
    groups.forEach((group, members) -> {
      List<Target> rest = members.stream().filter(one -> !one.id().equals(name)).toList();
      if (!rest.isEmpty()) {
        router.group(group, rest);
        targets.add(new Target("group", group));
      }
    });
    routers.put(name, router);
    return agent.router(router, targets);
  }

  private List<String> others(String name) {
    return names.stream().filter(other -> !other.equals(name)).toList();
  }

  /// Delivers to these agents from now on.
  void open(List<Agent> agents) {
    for (Agent agent : agents) {
      if (!names.contains(agent.name())) {
        continue;
      }
      inboxes.put(agent.name(), Inbox.of(agent));
      LocalRouter own = routers.get(agent.name());
      if (own != null) {
        own.user(agent.users());
      }
    }
    routers.forEach(
        (name, router) -> others(name).forEach(other -> router.agent(other, inbox(other))));
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
    inboxes.values().forEach(Inbox::close);
  }
}
