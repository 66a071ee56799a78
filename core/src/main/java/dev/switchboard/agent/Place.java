package dev.switchboard.agent;

import dev.switchboard.execution.Cell;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.time.Alarm;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where a conversation's state is kept, and held by the one process that goes on with it: so a
/// second one learns that before it has done anything.
///
/// A hold ends with its turn; that of a process which died ends by itself after [#HOLD], whatever
/// the clocks of both say: one that nobody renews is over so long after it was first seen here.
final class Place {
  /// How long a hold lasts unless it is renewed.
  static final Duration HOLD = Duration.ofSeconds(30);

  private static final Duration RENEWAL = Duration.ofSeconds(10);
  private static final Alarm NONE = () -> {};

  private final String conversation;
  private final @Nullable Cell<Json> cell;
  private final Time time;
  private final Map<String, Sight> sights;
  private final String holder; // empty where nothing is held
  private final ReentrantLock lock = new ReentrantLock();
  private Cell.Version<Json> kept; // guarded by lock
  private ConversationState state; // guarded by lock
  private Alarm renewal = NONE; // guarded by lock
  private boolean held; // guarded by lock

  /// When a hold was first seen as it is.
  ///
  /// @param version of the state that it stands in, since it is written anew when it is renewed
  record Sight(long version, long nanos) {}

  /// @param cell null for a conversation that lives and dies with its process
  /// @param sights holds that were seen in this process, by their conversations
  Place(String conversation, @Nullable Cell<Json> cell, Time time, Map<String, Sight> sights) {
    this.conversation = conversation;
    this.sights = sights;
    this.cell = cell;
    this.time = time;
    holder = cell == null ? "" : UUID.randomUUID().toString();
    kept = cell == null ? new Cell.Version<>(0, Json.EMPTY_OBJECT) : cell.load();
    state = read(kept.value());
  }

  private ConversationState read(Json json) {
    try {
      return ConversationState.read(json);
    } catch (UnreadableException e) {
      throw e.of(conversation, "state");
    }
  }

  ConversationState state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  /// Takes hold of the conversation for a turn.
  ///
  /// @throws ConversationConflictException when another process has it, or has gone on since
  void take() {
    if (cell == null) {
      return;
    }
    lock.lock();
    try {
      Cell.Version<Json> latest = cell.load();
      refuseWhileHeld(latest);
      if (!read(latest.value()).equals(state)) {
        throw new ConversationConflictException(conversation, null);
      }
      kept = latest;
      hold(cell);
      held = true;
      renewal = nextRenewal();
    } finally {
      lock.unlock();
    }
  }

  private void refuseWhileHeld(Cell.Version<Json> latest) {
    Duration left = held(latest);
    if (left != null) {
      throw new ConversationConflictException(conversation, left);
    }
  }

  /// How long another process still holds the conversation if it does not renew that; null where
  /// none holds it.
  @Nullable Duration held() {
    return cell == null ? null : held(cell.load());
  }

  private @Nullable Duration held(Cell.Version<Json> latest) {
    JsonNode hold = latest.value().tree().path("hold");
    if (!hold.isObject() || hold.path("by").asString("").equals(holder)) {
      sights.remove(conversation);
      return null;
    }
    long now = time.nanos();
    Sight seen =
        sights.compute(
            conversation,
            (id, known) ->
                known != null && known.version == latest.number()
                    ? known
                    : new Sight(latest.number(), now));
    Duration told = Duration.between(time.now(), Instant.parse(hold.path("until").asString()));
    Duration most = HOLD.minusNanos(now - seen.nanos);
    Duration left = told.compareTo(most) < 0 ? told : most;
    return left.isPositive() ? left : null;
  }

  private Alarm nextRenewal() {
    return time.alarm(
        time.nanos() + RENEWAL.toNanos(), () -> Thread.ofVirtual().name("hold").start(this::renew));
  }

  private void renew() {
    lock.lock();
    try {
      if (held && cell != null) {
        hold(cell);
        renewal = nextRenewal();
      }
    } catch (RuntimeException e) {
      // Whoever writes next learns that the hold is lost.
      held = false;
    } finally {
      lock.unlock();
    }
  }

  /// Keeps the state after a step.
  ///
  /// @throws ConversationConflictException when another process has gone on since
  void keep(ConversationState next) {
    lock.lock();
    try {
      if (cell != null && !next.equals(state)) {
        write(cell, json(next, time.now().plus(HOLD)));
      }
      state = next;
    } finally {
      lock.unlock();
    }
  }

  private void hold(Cell<Json> place) {
    write(place, json(state, time.now().plus(HOLD)));
  }

  private Json json(ConversationState written, @Nullable Instant until) {
    ObjectNode out = (ObjectNode) written.json().tree().deepCopy();
    if (until != null) {
      out.set("hold", Codec.object().put("by", holder).put("until", until.toString()));
    }
    return Json.of(out);
  }

  private void write(Cell<Json> place, Json json) {
    if (!place.replace(kept, json)) {
      throw new ConversationConflictException(conversation, null);
    }
    kept = new Cell.Version<>(kept.number() + 1, json);
  }

  /// Has the hold end by itself, where what it stands in is gone.
  void leave() {
    lock.lock();
    try {
      renewal.cancel();
      held = false;
    } finally {
      lock.unlock();
    }
  }

  /// Ends the hold, where there is one.
  void release() {
    lock.lock();
    try {
      renewal.cancel();
      renewal = NONE;
      if (held && cell != null) {
        held = false;
        write(cell, json(state, null));
      }
    } finally {
      lock.unlock();
    }
  }
}
