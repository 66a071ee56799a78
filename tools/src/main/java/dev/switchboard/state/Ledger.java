package dev.switchboard.state;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A value that changes in steps, each applied to the latest value: in order within this process,
/// and by compare-and-set against other processes if it is stored.
///
/// Thread-safe. A step may run more than once, so it must be pure.
public final class Ledger<S> {
  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable Cell<S> cell;
  private volatile Cell.Version<S> latest;

  /// A change of the value.
  ///
  /// @param next the value after the step; the same object if nothing changes
  public record Step<S, R extends @Nullable Object>(S next, R outcome) {}

  private Ledger(@Nullable Cell<S> cell, Cell.Version<S> latest) {
    this.cell = cell;
    this.latest = latest;
  }

  /// A ledger in this process, with that initial value.
  public static <S> Ledger<S> inProcess(S initial) {
    return new Ledger<>(null, new Cell.Version<>(0, initial));
  }

  /// The ledger of a stored value.
  public static <S> Ledger<S> of(Cell<S> cell) {
    return new Ledger<>(cell, cell.load());
  }

  /// The value as this process knows it; another may have changed it.
  public S value() {
    return latest.value();
  }

  /// The stored value and its version; this process does not adopt it.
  public Cell.Version<S> latest() {
    return cell == null ? latest : cell.load();
  }

  /// Reads the stored value again.
  public S refresh() {
    return refreshed().value();
  }

  /// Reads the stored value again, with its version.
  public Cell.Version<S> refreshed() {
    lock.lock();
    try {
      if (cell != null) {
        latest = cell.load();
      }
      return latest;
    } finally {
      lock.unlock();
    }
  }

  /// Applies the step and returns its outcome.
  public <R extends @Nullable Object> R change(Function<S, Step<S, R>> step) {
    lock.lock();
    try {
      while (true) {
        Step<S, R> made = step.apply(latest.value());
        if (isLatest(made.next) || kept(made.next)) {
          return made.outcome;
        }
        latest = cell == null ? latest : cell.load();
      }
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // whether the step has changed anything at all
  private boolean isLatest(S next) {
    return next == latest.value();
  }

  private boolean kept(S next) {
    boolean kept = cell == null || cell.replace(latest, next);
    if (kept) {
      latest = latest.next(next);
    }
    return kept;
  }
}
