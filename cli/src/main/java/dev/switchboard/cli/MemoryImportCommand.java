package dev.switchboard.cli;

import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard memory import`: imports an exported memory.
@Command(
    name = "import",
    description = {
      "Import memory that 'memory export' wrote into the agent's storage.",
      "",
      "The file is checked as a whole first. What exists already is skipped, so an interrupted"
          + " import can be repeated."
    },
    footer = {
      "  switchboard memory import memory.jsonl agent.toml",
      "  switchboard memory export agent.toml | switchboard memory import - other.toml"
    })
final class MemoryImportCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private PrincipalOption whose;

  @Parameters(index = "0", paramLabel = "FILE", description = "The file; - for standard input.")
  private Path source;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "AGENT.toml",
      description = "The agent's file; if left out, the only *.toml here that has a storage.")
  private @Nullable Path file;

  @Option(
      names = "--replace",
      description = "Replace blocks of the agent that have the same label, and their edits.")
  private boolean replace;

  MemoryImportCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    try (OpenMemory memory = OpenMemory.open(file, folder, terminal, whose.name())) {
      boolean twice = !isStandardInput() && Files.isRegularFile(source);
      MemoryFile.Moved moved = twice ? taken(memory, source) : piped(memory);
      String known = moved.known() == 0 ? "" : "; %d were there already".formatted(moved.known());
      terminal.out().println("Taken: " + MemoryExportCommand.counts(moved) + known + ".");
    } catch (MemoryException e) {
      throw Failure.work(sentence(e), e);
    } catch (IOException e) {
      throw Failure.usage(FileFaults.unread(source, e), e);
    }
  }

  private static String sentence(MemoryException e) {
    return switch (e.kind()) {
      case CONFLICT -> e.getMessage();
      case EXISTS -> "Nothing was taken: " + e.getMessage() + " --replace puts the file's there.";
      case NOT_FOUND, NO_MATCH, NOT_UNIQUE, LIMIT_EXCEEDED, PERMISSION_DENIED, INVALID ->
          "Nothing was taken: " + e.getMessage();
    };
  }

  /// Imports standard input or a pipe, through a file, since it is read twice.
  private MemoryFile.Moved piped(OpenMemory memory) throws IOException {
    Path copy = Files.createTempFile("switchboard", ".jsonl");
    // Not `Files.copy`, which replaces the file by one that others can read.
    try (InputStream in = opened();
        OutputStream out = Files.newOutputStream(copy)) {
      in.transferTo(out);
      out.flush();
      return taken(memory, copy);
    } finally {
      Files.delete(copy);
    }
  }

  private InputStream opened() throws IOException {
    return isStandardInput() ? terminal.in() : Files.newInputStream(source);
  }

  private boolean isStandardInput() {
    return source.toString().equals("-");
  }

  private MemoryFile.Moved taken(OpenMemory memory, Path from) throws IOException {
    return MemoryFile.read(from, memory.store(), memory.owner(), replace);
  }
}
