package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One node of the compiled check: what may stand at a place. The fast and the slow way of the same
/// check stand side by side in each, and accept the same values. Immutable once built, and
/// thread-safe.
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

  /// The value that begins at the current token, bound where the tool has a type; stands at its
  /// last token afterwards.
  ///
  /// @throws Mismatch at the first thing that is wrong
  @Nullable Object read(Tokens in);

  /// Adds all that is wrong with the value; nothing exactly when [#read] accepts it.
  void explain(JsonNode value, Place at, Faults faults);

  /// What should stand here, in words.
  String expected();

  /// Whether the value is accepted, at the slow pass's pace.
  default boolean accepts(JsonNode value, Faults budget) {
    Faults verdict = budget.verdict();
    explain(value, Place.ROOT, verdict);
    return verdict.isEmpty();
  }

  /// The way to [#read] of a shape that needs the whole value at once.
  default void readAsTree(Tokens in) {
    if (!accepts(in.tree(), in.budget())) {
      throw Mismatch.INSTANCE;
    }
  }
}
