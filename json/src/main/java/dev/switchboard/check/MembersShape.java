package dev.switchboard.check;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The shapes of an object's members by name, in addition to its properties.
///
/// @param names the shape of each name, null for any
/// @param properties the names that `others` does not apply to
/// @param patterns the shapes of members whose names match
/// @param others the shape of members that are neither properties nor match a pattern; null if none
///   are allowed
/// @param required by member, the members that it requires
/// @param schemas by member, the shape of the whole object
record MembersShape(
    @Nullable Shape names,
    Set<String> properties,
    List<Pattern> patterns,
    @Nullable Shape others,
    Map<String, List<String>> required,
    Map<String, Shape> schemas)
    implements Shape {

  /// Members whose names match.
  record Pattern(Regex name, Shape shape) {}

  @Override
  public @Nullable Object read(JsonTokens in) {
    readAsTree(in);
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isObject()) {
      return;
    }
    faults.step(1 + value.size() + required.size() + schemas.size());
    value.forEachEntry((name, member) -> {
      if (!faults.decided()) {
        explainName(name, at.child(name), faults);
        explainMember(name, member, at.child(name), faults);
      }
    });
    required.forEach((name, others) -> {
      if (value.has(name)) {
        faults.step(others.size());
        others.stream()
            .filter(other -> !value.has(other))
            .forEach(
                other -> faults.add(at.child(other), "a value beside '" + name + "'", "missing"));
      }
    });
    schemas.forEach((name, shape) -> {
      if (value.has(name)) {
        shape.explain(value, at, faults);
      }
    });
  }

  private void explainName(String name, Place at, Faults faults) {
    JsonNode text = JsonNodeFactory.instance.stringNode(name);
    if (names == null || names.accepts(text, faults)) {
      return;
    }
    Faults trial = faults.trial();
    names.explain(text, at, trial);
    for (Faults.Note note : trial.notes()) {
      faults.add(
          new Faults.Note(
              at, () -> "a name that is " + note.expected().get(), () -> ValueText.quoted(name)));
    }
  }

  private void explainMember(String name, JsonNode member, Place at, Faults faults) {
    boolean matched = properties.contains(name);
    for (Pattern pattern : patterns) {
      faults.step(1 + pattern.name.cost(name));
      if (pattern.name.found(name)) {
        matched = true;
        pattern.shape.explain(member, at, faults);
      }
    }
    if (matched) {
      return;
    }
    if (others == null) {
      faults.add(at, () -> "no such property" + Closest.hint(name, properties), member);
    } else {
      others.explain(member, at, faults);
    }
  }

  @Override
  public String expected() {
    return "object";
  }
}
