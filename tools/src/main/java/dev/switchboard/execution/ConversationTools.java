package dev.switchboard.execution;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.rule.ToolRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tools of one conversation. Thread-safe.
final class ConversationTools {
  static final ConversationTools NONE = new ConversationTools(Map.of());

  private final Map<String, Tool> tools;
  private final boolean some;
  private volatile @Nullable CompiledRules compiled;

  private ConversationTools(Map<String, Tool> tools) {
    this.tools = tools;
    some = !tools.isEmpty();
  }

  static ConversationTools of(Map<String, Tool> tools) {
    return tools.isEmpty() ? NONE : new ConversationTools(new LinkedHashMap<>(tools));
  }

  /// Whether there are any.
  boolean some() {
    return some;
  }

  @Nullable Tool find(String name) {
    return tools.get(name);
  }

  /// The rules compiled with the tools of that registry and these.
  @SuppressWarnings("ReferenceEquality") // whether it was made of those very rules
  CompiledRules compiled(List<ToolRule> ofAgent, ToolRegistry registry) {
    CompiledRules known = compiled;
    if (known == null || known.version() != registry.version() || known.ofAgent() != ofAgent) {
      known = CompiledRules.of(ofAgent, registry, tools.values());
      compiled = known;
    }
    return known;
  }
}
