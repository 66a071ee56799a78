package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile.EmbeddingSettings;
import dev.switchboard.memory.Embeddings;
import dev.switchboard.memory.SemanticMemory;
import dev.switchboard.provider.ModelNames;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `switchboard memory embed`: computes missing vectors of entries.
@Command(
    name = "embed",
    description = {
      "Compute the missing vectors of all entries, so that they are found by meaning.",
      "",
      "A running agent does this by itself, little by little; use it after an import, or when"
          + " 'embeddings' in the agent's file has changed. Work done is kept if it is"
          + " interrupted."
    },
    footer = "  switchboard memory embed agent.toml")
final class MemoryEmbedCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private StoredArgument agent;

  @Mixin private PrincipalOption whose;

  MemoryEmbedCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    try (OpenMemory memory = OpenMemory.open(agent.file(), folder, terminal, whose.name())) {
      Embeddings embeddings = embeddings(memory);
      try (SemanticMemory searched = SemanticMemory.of(memory.store(), embeddings)) {
        long count = searched.embedAll(memory.owner(), this::progress);
        terminal.out().println(entries(count) + " embedded with " + embeddings.name() + ".");
      } catch (Exception e) {
        throw Failure.work("The embeddings broke off: " + e.getMessage(), e);
      }
    }
  }

  private static Embeddings embeddings(OpenMemory memory) {
    EmbeddingSettings settings = memory.agent().file().agent().embeddings();
    if (settings == null) {
      throw Failure.usage(
          memory.agent().path()
              + " names no embeddings: add embeddings = \"openai:"
              + ModelNames.EMBEDDINGS
              + "\" to its"
              + " [agent] table.",
          null);
    }
    try {
      return Switchboard.embeddings(settings);
    } catch (IllegalArgumentException e) {
      throw Failure.work("The embeddings cannot be had: " + e.getMessage() + ".", e);
    }
  }

  private void progress(long count) {
    terminal.err().println(entries(count) + " so far.");
  }

  private static String entries(long count) {
    return count == 1 ? "1 entry" : count + " entries";
  }
}
