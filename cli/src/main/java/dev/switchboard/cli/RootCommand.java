package dev.switchboard.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `switchboard` alone: lists the commands.
@Command(
    name = "switchboard",
    header = "The tool runtime for agents on the JVM, in chat and on the phone.",
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:the work failed", "2:wrong usage or configuration"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  switchboard demo",
      "  switchboard init agent.toml",
      "  switchboard chat agent.toml",
      "  switchboard exec agent.toml < calls.jsonl",
      "  switchboard help tool call",
      "  source <(switchboard completion)"
    })
final class RootCommand implements Callable<Integer> {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli sets and reads it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("UnusedVariable") // picocli sets and reads it
  private boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show stack traces, and more of the log.")
  private boolean debug;

  @Spec private CommandSpec spec;

  boolean debug() {
    return debug;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return spec.exitCodeOnInvalidInput();
  }
}
