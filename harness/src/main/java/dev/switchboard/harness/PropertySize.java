package dev.switchboard.harness;

/// How many random cases the property tests try.
///
/// A hundredth by default, which finds what is broken everywhere, and all of them with
/// `-Dswitchboard.whole=true`, as `mvn verify -Pslow` sets it.
public final class PropertySize {
  /// Whether all are tried.
  public static final boolean WHOLE = Boolean.getBoolean("switchboard.whole");

  private PropertySize() {}

  /// How many of so many are tried now.
  public static int of(int whole) {
    return WHOLE ? whole : Math.max(1, whole / 100);
  }

  /// How many are tried now of so many, unless that system property says how many.
  public static int of(String property, int whole) {
    return Integer.getInteger(property, of(whole));
  }
}
