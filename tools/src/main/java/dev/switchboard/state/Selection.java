package dev.switchboard.state;

import dev.switchboard.text.PrincipalName;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A selection of conversations or of open requests: one page of a list.
///
/// @param principal the owner, null for any
/// @param activity of the conversations
/// @param before the position before the first one, null for the beginning
public record Selection(
    @Nullable String principal, Activity activity, @Nullable Position before, int most) {
  /// What the selected conversations do.
  public enum Activity {
    ANY,
    /// A process continues it, or one of several is to.
    RUNNING,
    /// It has open requests.
    WAITING
  }

  /// @throws IllegalArgumentException when no principal can have that name
  public Selection {
    if (principal != null) {
      principal = PrincipalName.checked(principal);
    }
  }

  /// A selection of any activity.
  public Selection(@Nullable String principal, @Nullable Position before, int most) {
    this(principal, Activity.ANY, before, most);
  }

  /// The page of as many after that position.
  public Selection after(Position last) {
    return new Selection(principal, activity, last, most);
  }

  /// This selection, of conversations with that activity.
  public Selection with(Activity other) {
    return new Selection(principal, other, before, most);
  }

  /// Whether it selects what belongs to that principal.
  public boolean isOf(String owner) {
    return principal == null || principal.equals(owner);
  }

  /// The page of these, in that order.
  public <T> List<T> of(Stream<T> all, Function<T, Position> position, Comparator<Position> order) {
    return all.filter(one -> before == null || order.compare(position.apply(one), before) > 0)
        .sorted(Comparator.comparing(position, order))
        .limit(most)
        .toList();
  }
}
