package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The circuit breakers of an executor, one for each tool; a tool that replaces another starts with
/// a new one.
final class Breakers {
  private record Guarded(Tool tool, CircuitBreaker breaker) {}

  private final Map<String, Guarded> byName = new ConcurrentHashMap<>();

  CircuitBreaker of(Tool tool) {
    Guarded known = byName.get(tool.name());
    if (known == null || known.tool != tool) {
      known = byName.compute(tool.name(), (name, current) -> renew(tool, current));
    }
    return known.breaker;
  }

  private static Guarded renew(Tool tool, @Nullable Guarded current) {
    return current != null && current.tool == tool
        ? current
        : new Guarded(tool, new CircuitBreaker(tool.options().breaker()));
  }
}
