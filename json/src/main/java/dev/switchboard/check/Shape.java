package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A node of the compiled check. Its fast and its slow method accept the same values. Immutable
/// once built; thread-safe.
sealed interface Shape
    permits AllShape,
        AnyShape,
        ArrayShape,
        BooleanShape,
        ByTypeShape,
        ConditionalShape,
        ConstantShape,
        ContainsShape,
        EnumShape,
        IntegerShape,
        ConstructedShape,
        MapShape,
        MembersShape,
        NeverShape,
        NullableShape,
        NumberShape,
        ObjectShape,
        ReferenceShape,
        StringShape,
        TaggedShape,
        UnevaluatedShape,
        UnionShape {

  /// The value at the current token, bound if the tool has a type; the parser is then at the
  /// value's last token.
  ///
  /// @throws Mismatch at the first fault
  @Nullable Object read(JsonTokens in);

  /// Adds all faults of the value; none exactly if [#read] accepts it.
  void explain(JsonNode value, Place at, Faults faults);

  /// The expected value, in words.
  String expected();

  /// The expected value in words, for one that was found; null if it is missing.
  default String expected(@Nullable JsonNode found) {
    return expected();
  }

  /// Whether the value is accepted, by the slow pass.
  default boolean accepts(JsonNode value, Faults budget) {
    Faults verdict = budget.verdict();
    explain(value, Place.ROOT, verdict);
    return verdict.isEmpty();
  }

  /// [#read] for a shape that needs the whole value.
  default void readAsTree(JsonTokens in) {
    if (!accepts(in.tree(), in.budget())) {
      throw Mismatch.INSTANCE;
    }
  }
}
