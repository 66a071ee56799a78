package dev.switchboard.cli;

import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/// A command and its subcommands.
///
/// Creating one takes longer than most of them run. So one that is not needed is only added with
/// what lists and suggestions show.
///
/// @param line the command
/// @param needed which subcommands are created completely
record CommandGroup(CommandLine line, Predicate<String> needed) {
  /// @param command the command, an object that picocli reads
  CommandGroup(Object command, Predicate<String> needed) {
    this(new CommandLine(command), needed);
  }

  /// Adds a subcommand.
  ///
  /// @param type its class, which names and describes it
  /// @param make creates it
  CommandGroup add(Class<?> type, Supplier<Object> make) {
    Command command = type.getAnnotation(Command.class);
    line.addSubcommand(command.name(), needed.test(command.name()) ? make.get() : summary(command));
    return this;
  }

  /// Adds a subcommand that is always created.
  CommandGroup add(CommandLine command) {
    line.addSubcommand(command);
    return this;
  }

  private static CommandSpec summary(Command command) {
    CommandSpec spec = CommandSpec.create().name(command.name());
    spec.usageMessage().description(command.description());
    return spec;
  }
}
