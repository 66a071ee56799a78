package dev.switchboard.cli;

import dev.switchboard.memory.MemoryFile;
import dev.switchboard.process.OwnerFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard memory export`: writes the memory as JSON lines.
@Command(
    name = "export",
    description = {
      "Write the agent's memory as lines of JSON: blocks, edits, shares and entries.",
      "",
      "'memory import' imports them into another storage. Blocks that other agents share are not"
          + " included."
    },
    footer = {
      "  switchboard memory export agent.toml --output memory.jsonl",
      "  switchboard memory export agent.toml | gzip > memory.jsonl.gz"
    })
final class MemoryExportCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private StoredArgument agent;

  @Mixin private PrincipalOption whose;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write there, all or nothing, instead of standard output.")
  private @Nullable Path output;

  MemoryExportCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    try (OpenMemory memory = OpenMemory.open(agent.file(), folder, terminal, whose.name())) {
      if (output != null) {
        toFile(memory, output);
        return;
      }
      MemoryFile.Moved unused =
          MemoryFile.write(memory.store(), memory.owner(), terminal.out()::println);
      if (terminal.out().checkError()) {
        throw Failure.work("Standard output was closed before all was written.", null);
      }
    }
  }

  private void toFile(OpenMemory memory, Path file) {
    if (Files.isDirectory(file)) {
      throw Failure.work(file + " is a folder: name a file in it.", null);
    }
    try {
      AtomicReference<MemoryFile.Moved> moved = new AtomicReference<>();
      new OwnerFile(file).replace(out -> moved.set(written(memory, out)));
      terminal.out().println(file + " holds " + counts(Objects.requireNonNull(moved.get())) + ".");
    } catch (NoSuchFileException e) {
      throw Failure.work(file + " cannot be written: there is no such folder.", e);
    } catch (IOException | UncheckedIOException e) {
      throw Failure.work(FileFaults.unwritten(file, e), e);
    }
  }

  /// For example `3 blocks and 1 entry`.
  static String counts(MemoryFile.Moved moved) {
    String entries = moved.entries() == 1 ? "1 entry" : moved.entries() + " entries";
    return AgentArgument.count(moved.blocks(), "block") + " and " + entries;
  }

  private static MemoryFile.Moved written(OpenMemory memory, Writer out) {
    return MemoryFile.write(memory.store(), memory.owner(), line -> writeLine(out, line));
  }

  private static void writeLine(Writer out, String line) {
    try {
      out.write(line);
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
