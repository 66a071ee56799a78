package dev.switchboard.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// All commands. A new command is one class and one line here.
final class Commands {
  private Commands() {}

  /// The whole command line for this terminal.
  static CommandLine on(Terminal terminal) {
    return on(terminal, Path.of(""), name -> true);
  }

  /// The exit code of a command on this terminal.
  ///
  /// @param folder to look for agents' files in
  static int execute(Terminal terminal, Path folder, String... args) {
    Set<String> words = new HashSet<>(List.of(args));
    boolean whole = words.contains("completion");
    return on(terminal, folder, name -> whole || words.contains(name)).execute(args);
  }

  /// @param needed which commands are created completely
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    RootCommand root = new RootCommand();
    CommandLine line =
        new CommandGroup(root, needed)
            .add(DemoCommand.class, () -> new DemoCommand(terminal))
            .add(InitCommand.class, () -> new InitCommand(terminal))
            .add(ChatCommand.class, () -> new ChatCommand(terminal, folder))
            .add(ServeCommand.class, () -> new ServeCommand(terminal, folder))
            .add(WorkerCommand.class, () -> new WorkerCommand(terminal))
            .add(ExecCommand.class, () -> new ExecCommand(terminal, folder))
            .add(ValidateCommand.class, () -> new ValidateCommand(terminal, folder))
            .add(ToolCommand.class, () -> ToolCommand.on(terminal, needed))
            .add(AgentCommand.class, () -> AgentCommand.on(terminal, folder, needed))
            .add(ApprovalsCommand.class, () -> ApprovalsCommand.on(terminal, folder, needed))
            .add(
                ConversationsCommand.class, () -> ConversationsCommand.on(terminal, folder, needed))
            .add(McpCommand.class, () -> McpCommand.on(terminal, folder, needed))
            .add(PhoneCommand.class, () -> PhoneCommand.on(terminal))
            .add(CallCommand.class, () -> new CallCommand(terminal, folder))
            .add(CallsCommand.class, () -> CallsCommand.on(terminal, folder, needed))
            .add(MemoryCommand.class, () -> MemoryCommand.on(terminal, folder, needed))
            .add(TokenCommand.class, () -> TokenCommand.on(terminal, folder, needed))
            .add(UrlCommand.class, () -> UrlCommand.on(terminal))
            .add(CompletionCommand.class, () -> new CompletionCommand(terminal))
            .add(HelpCommand.class, () -> new HelpCommand(terminal))
            .line();
    line.getSubcommands().values().forEach(Commands::lookAlike);
    Errors errors = new Errors(root);
    return line.setOut(new PrintWriter(terminal.help(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(Terminal.isShown())
        .setExecutionStrategy(parsed -> {
          if (root.debug()) {
            LogLevels.showAllOfTools();
          }
          return new CommandLine.RunLast().execute(parsed);
        })
        .setParameterExceptionHandler(errors::usage)
        .setExecutionExceptionHandler(errors::execution);
  }

  /// Gives the help texts of a command and its subcommands the same headings.
  private static void lookAlike(CommandLine command) {
    command
        .getCommandSpec()
        .usageMessage()
        .synopsisSubcommandLabel("COMMAND")
        .parameterListHeading("%nArguments:%n")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n")
        .footerHeading("%nExamples:%n");
    // Not wrapped, so that an example can be copied.
    command
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> lines(help.commandSpec()));
    command.getSubcommands().values().forEach(Commands::lookAlike);
  }

  private static String lines(CommandSpec command) {
    return Stream.of(command.usageMessage().footer())
        .map(line -> line + System.lineSeparator())
        .collect(Collectors.joining());
  }
}
