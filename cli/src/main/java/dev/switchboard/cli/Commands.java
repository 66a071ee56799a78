package dev.switchboard.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/// All commands. A new command is one class and one line here.
final class Commands {
  private Commands() {}

  /// A command, created when needed, since that takes longer than most of them run.
  private record Listed(Class<?> type, Supplier<Object> make) {
    String name() {
      return type.getAnnotation(Command.class).name();
    }

    /// The part of it that lists and suggestions need.
    CommandSpec summary() {
      CommandSpec spec = CommandSpec.create().name(name());
      spec.usageMessage().description(type.getAnnotation(Command.class).description());
      return spec;
    }
  }

  private static List<Listed> all(Terminal terminal, Path folder) {
    return List.of(
        new Listed(DemoCommand.class, () -> new DemoCommand(terminal)),
        new Listed(InitCommand.class, () -> new InitCommand(terminal)),
        new Listed(ChatCommand.class, () -> new ChatCommand(terminal)),
        new Listed(ServeCommand.class, () -> new ServeCommand(terminal)),
        new Listed(WorkerCommand.class, () -> new WorkerCommand(terminal)),
        new Listed(ExecCommand.class, () -> new ExecCommand(terminal)),
        new Listed(ValidateCommand.class, () -> new ValidateCommand(terminal)),
        new Listed(ToolCommand.class, () -> ToolCommand.on(terminal)),
        new Listed(AgentCommand.class, () -> AgentCommand.on(terminal, folder)),
        new Listed(ApprovalsCommand.class, () -> ApprovalsCommand.on(terminal, folder)),
        new Listed(ConversationsCommand.class, () -> ConversationsCommand.on(terminal, folder)),
        new Listed(McpCommand.class, () -> McpCommand.on(terminal, folder)),
        new Listed(PhoneCommand.class, () -> PhoneCommand.on(terminal)),
        new Listed(CallsCommand.class, () -> CallsCommand.on(terminal, folder)),
        new Listed(MemoryCommand.class, () -> MemoryCommand.on(terminal, folder)),
        new Listed(TokenCommand.class, () -> TokenCommand.on(terminal, folder)),
        new Listed(UrlCommand.class, () -> UrlCommand.on(terminal)),
        new Listed(CompletionCommand.class, () -> new CompletionCommand(terminal)),
        new Listed(HelpCommand.class, () -> new HelpCommand(terminal)));
  }

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
    CommandLine line = new CommandLine(root);
    for (Listed command : all(terminal, folder)) {
      boolean full = needed.test(command.name());
      line.addSubcommand(command.name(), full ? command.make().get() : command.summary());
    }
    line.getSubcommands().values().forEach(Commands::lookAlike);
    Errors errors = new Errors(root);
    return line.setOut(new PrintWriter(terminal.help(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(Terminal.isShown())
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
    command.getSubcommands().values().forEach(Commands::lookAlike);
  }
}
