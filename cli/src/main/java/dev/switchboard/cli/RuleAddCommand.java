package dev.switchboard.cli;

import dev.switchboard.cli.edit.RuleFile;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard agent add rule`: adds a rule to an agent's file.
@Command(
    name = "rule",
    description = {
      "Add a rule to an agent's file.",
      "",
      "The rest of the file does not change. A rule that would make the file invalid is refused."
    },
    footer = {
      "  switchboard agent add rule MyAgent send_message exit-loop",
      "  switchboard agent add rule MyAgent validate requires-preceding -c load_data",
      "  switchboard agent add rule MyAgent api_request max-calls -p 5 --scope turn",
      "  switchboard agent add rule MyAgent export exclusive-groups -c json,xml",
      "  switchboard agent add rule MyAgent look_up_order child -c refund,track_order",
      "  switchboard agent add rule MyAgent pay requires-consent --bind account"
    })
final class RuleAddCommand implements Runnable {
  private static final int LEAST_PRIORITY = 1;
  private static final int HIGHEST_PRIORITY = 10;

  private final Terminal terminal;
  private final Path folder;

  @Mixin private NamedAgent agent;

  @Parameters(index = "1", paramLabel = "TOOL", description = "The tool, or '*' for every tool.")
  private String tool;

  @Parameters(
      index = "2",
      paramLabel = "TYPE",
      completionCandidates = RuleNames.class,
      description = "The type of rule: ${COMPLETION-CANDIDATES}.")
  private String type;

  @Mixin private RuleOptions options;

  @Option(
      names = "--priority",
      paramLabel = "1-10",
      description = "Which refusal is named first; 5 by default.")
  private int priority = ToolRule.DEFAULT_PRIORITY;

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description = "Which earlier calls count: turn, conversation or agent.")
  private @Nullable String scope;

  RuleAddCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    RuleKind kind = RuleNames.kind(type);
    ToolRule rule = rule(kind);
    RuleFile.Addition addition = agent.work(folder, file -> file.add(rule));
    String what = "%s rule for '%s'".formatted(kind.kebab(), tool);
    addition.warnings().forEach(terminal.err()::println);
    terminal
        .out()
        .println(
            addition.changed()
                ? "Added %s on agent '%s'".formatted(what, agent.name())
                : "Agent '%s' already has this %s".formatted(agent.name(), what));
  }

  private ToolRule rule(RuleKind kind) {
    if (priority < LEAST_PRIORITY || priority > HIGHEST_PRIORITY) {
      throw Failure.usage("--priority must be 1 to 10, not " + priority + ".", null);
    }
    ToolRule.Scope stated = scope == null ? null : scope(scope);
    ToolRule rule = ToolRule.of(tool, options.type(kind)).priority(priority);
    return stated == null ? rule : rule.scope(stated);
  }

  private static ToolRule.Scope scope(String word) {
    ToolRule.Scope stated = ToolRule.Scope.ofWord(word);
    if (stated == null) {
      List<String> words =
          Arrays.stream(ToolRule.Scope.values()).map(ToolRule.Scope::word).toList();
      throw Failure.usage(
          "--scope must be one of " + String.join(", ", words) + ", not '" + word + "'.", null);
    }
    return stated;
  }
}
