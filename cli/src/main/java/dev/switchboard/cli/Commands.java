package dev.switchboard.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// All commands in one list. A new command is one class and one line here.
final class Commands {
  private Commands() {}

  private static List<Object> all(Terminal terminal, Path folder) {
    return List.of(
        new DemoCommand(terminal),
        new InitCommand(terminal),
        new ChatCommand(terminal),
        new ExecCommand(terminal),
        new ValidateCommand(terminal),
        ToolCommand.on(terminal),
        AgentCommand.on(terminal, folder),
        ApprovalsCommand.on(terminal, folder),
        ConversationsCommand.on(terminal, folder),
        MemoryCommand.on(terminal, folder),
        UrlCommand.on(terminal),
        new CompletionCommand(terminal),
        new HelpCommand(terminal));
  }

  /// The whole command line, ready to execute on this terminal.
  static CommandLine on(Terminal terminal) {
    return on(terminal, Path.of(""));
  }

  /// The same, with another folder to look for agents' files in.
  static CommandLine on(Terminal terminal, Path folder) {
    RootCommand root = new RootCommand();
    CommandLine line = new CommandLine(root);
    all(terminal, folder).forEach(line::addSubcommand);
    line.getSubcommands().values().forEach(Commands::lookAlike);
    Errors errors = new Errors(root);
    return line.setOut(new PrintWriter(terminal.help(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(errors::usage)
        .setExecutionExceptionHandler(errors::execution);
  }

  /// Gives the help of a command and of those below it the same headings.
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
