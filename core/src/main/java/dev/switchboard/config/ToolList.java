package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The tools that a file defines.
final class ToolList {
  private final List<ToolEntry> entries;
  private final UrlGuard guard;
  private final AgentToml.Defaults defaults;

  /// @param folder where the names of further files begin
  /// @param guard with the file's own allow list
  ToolList(
      List<AgentToml.Tool> tools,
      Path folder,
      Headers headers,
      UrlGuard guard,
      AgentToml.Defaults defaults) {
    this.entries = tools.stream().map(tool -> new ToolEntry(tool, folder, headers, guard)).toList();
    this.guard = guard;
    this.defaults = defaults;
  }

  /// Reports everything that is wrong with the definitions.
  void check() {
    Set<String> names = new HashSet<>();
    for (ToolEntry entry : entries) {
      entry.check();
      if (entry.name() != null && !names.add(entry.name())) {
        entry.isTwin("is defined twice");
      }
    }
  }

  /// Reports the tools that have one of these names, of tools made in Java.
  void reportTwins(Collection<String> java) {
    for (ToolEntry entry : entries) {
      if (java.contains(entry.name())) {
        entry.isTwin("is defined twice, here and in Java");
      }
    }
  }

  /// The names of those that have one.
  List<String> names() {
    return entries.stream().map(ToolEntry::name).filter(Objects::nonNull).toList();
  }

  /// The tools, answered by their webhooks through one client, if nothing was reported.
  List<Tool> make() {
    GuardedHttp http = GuardedHttp.of(guard);
    return entries.stream().map(entry -> entry.make(http, defaults)).toList();
  }
}
