package dev.switchboard.handler;

import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A router within one process: users, agents, groups and channels by name.
///
/// So that agents do not answer each other endlessly, one may write to another once in [#BRAKE] for
/// the same principal. Thread-safe.
public final class LocalRouter implements MessageRouter {
  /// How long an agent waits before it writes to the same agent again.
  public static final Duration BRAKE = Duration.ofSeconds(30);

  private static final int MANY = 1_000;

  private final Time time;
  private final Map<Target, MessageRouter> endpoints = new ConcurrentHashMap<>();
  private final Map<Target, List<Target>> members = new ConcurrentHashMap<>();
  private final Map<Pair, Long> latest = new ConcurrentHashMap<>();

  /// Who writes to whom, for which principal.
  private record Pair(String from, String to, String principal) {}

  /// An empty router that uses that clock.
  public LocalRouter(Time time) {
    this.time = time;
  }

  /// Delivers there what is for the user of a conversation, whichever it is.
  public LocalRouter user(MessageRouter endpoint) {
    return endpoint(new Target("user", ""), endpoint);
  }

  /// Delivers there what is for the agent of that name.
  public LocalRouter agent(String name, MessageRouter endpoint) {
    return endpoint(new Target("agent", name), endpoint);
  }

  /// Delivers there what is for the channel of that name.
  public LocalRouter channel(String name, MessageRouter endpoint) {
    return endpoint(new Target("channel", name), endpoint);
  }

  /// Delivers what is for the channel of that name to all its members.
  public LocalRouter channel(String name, List<Target> readers) {
    members.put(new Target("channel", name), List.copyOf(readers));
    return this;
  }

  /// Delivers what is for the group of that name to all its members.
  public LocalRouter group(String name, List<Target> all) {
    members.put(new Target("group", name), List.copyOf(all));
    return this;
  }

  private LocalRouter endpoint(Target target, MessageRouter endpoint) {
    endpoints.put(target, endpoint);
    return this;
  }

  @Override
  public Delivery send(Letter letter) {
    Target target = letter.target();
    List<Target> all = members.get(target);
    if (all != null) {
      return toAll(letter, all);
    }
    return target.type().equals("agent") ? toAgent(letter, target) : toOne(letter, target);
  }

  @Override
  public boolean knows(Target target) {
    // A user who cannot be reached now exists.
    return target.type().equals("user")
        || members.containsKey(target)
        || endpoints.containsKey(target);
  }

  /// Forgets the principal wherever it delivers to.
  @Override
  public void forget(String principal) {
    endpoints.values().forEach(endpoint -> endpoint.forget(principal));
    latest.keySet().removeIf(pair -> pair.principal.equals(principal));
  }

  private Delivery toAll(Letter letter, List<Target> all) {
    if (all.isEmpty()) {
      return Delivery.failed(
          "the %s '%s' has no members".formatted(letter.target().type(), letter.target().id()));
    }
    Delivery sum = new Delivery(0, 0, null);
    for (Target member : all) {
      sum =
          sum.plus(member.type().equals("agent") ? toAgent(letter, member) : toOne(letter, member));
    }
    return sum;
  }

  private static Delivery missing(Target target) {
    return Delivery.failed(
        !target.id().isEmpty()
            ? "there is no " + target.type() + " '" + target.id() + "'"
            : target.type().equals("user")
                ? "the user cannot be reached here"
                : "the target needs an 'id' that names the " + target.type());
  }

  private Delivery toAgent(Letter letter, Target target) {
    long now = time.nanos();
    forgetOld(now);
    Pair pair = new Pair(letter.from(), target.id(), letter.principal());
    Long before = latest.putIfAbsent(pair, now);
    if (before != null) {
      long left = BRAKE.toNanos() - (now - before);
      boolean taken = left <= 0 && latest.replace(pair, before, now);
      if (!taken) {
        long seconds = Math.max(1, Math.ceilDiv(left, 1_000_000_000L));
        return Delivery.failed(
            "agent '%s' was written to a moment ago, try again in %d s"
                .formatted(target.id(), seconds));
      }
    }
    Delivery delivery = toOne(letter, target);
    if (delivery.delivered() == 0) {
      latest.remove(pair, now);
    }
    return delivery;
  }

  /// Forgets what delays no message any more, once there is much of it.
  private void forgetOld(long now) {
    if (latest.size() >= MANY) {
      latest.values().removeIf(at -> now - at >= BRAKE.toNanos());
    }
  }

  private Delivery toOne(Letter letter, Target target) {
    MessageRouter endpoint = endpoints.get(target);
    if (endpoint == null && target.type().equals("user")) {
      endpoint = endpoints.get(new Target("user", ""));
    }
    if (endpoint == null) {
      return missing(target);
    }
    try {
      return endpoint.send(letter);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Delivery.failed("it was cancelled");
    } catch (ToolException e) {
      if (e.code() == ResultCode.INVALID_ARGUMENTS) {
        throw e;
      }
      return failed(target, e);
    } catch (Exception e) {
      return failed(target, e);
    }
  }

  private static Delivery failed(Target target, Exception e) {
    return Delivery.failed(
        "%s '%s' failed (%s)".formatted(target.type(), target.id(), e.getClass().getSimpleName()));
  }
}
