package dev.switchboard.check;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// An object of any names, or of an enum's names, bound to an unmodifiable map.
record MapShape(@Nullable EnumShape names, Shape values, Cardinality members) implements Shape {
  @Override
  public Object read(JsonTokens in) {
    if (in.token() != JsonToken.START_OBJECT) {
      throw Mismatch.INSTANCE;
    }
    Set<Object> seen = new HashSet<>();
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      JsonTokens.requirePaired(name);
      Object key = names == null ? name : names.constants().get(name);
      if (key == null || !seen.add(key)) {
        throw Mismatch.INSTANCE;
      }
      in.next();
      map.put(key, values.read(in));
    }
    if (!members.admits(map.size())) {
      throw Mismatch.INSTANCE;
    }
    return Collections.unmodifiableMap(map);
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isObject()) {
      faults.add(at, this, value);
      return;
    }
    faults.step(1 + value.size());
    if (!members.admits(value.size())) {
      faults.add(at, members.describe("object", "member", "members"), "object of " + value.size());
    }
    value.forEachEntry((name, member) -> {
      if (names != null && !names.constants().containsKey(name)) {
        faults.add(at.child(name), () -> "a member named " + names.expected(), member);
      } else {
        values.explain(member, at.child(name), faults);
      }
    });
  }

  @Override
  public String expected() {
    return "object";
  }
}
