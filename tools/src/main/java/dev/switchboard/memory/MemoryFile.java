package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.text.MemoryOwner;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// An agent's memory as JSON lines, for another store or a backup: its blocks with their edits and
/// shares, then its entries.
public final class MemoryFile {
  private MemoryFile() {}

  /// Writes the agent's memory, line by line, without blocks shared by other agents.
  public static Moved write(MemoryStore store, String agent, Consumer<String> out) {
    AtomicLong lines = new AtomicLong();
    Consumer<MemoryLine> line =
        next -> {
          out.accept(next.text());
          lines.incrementAndGet();
        };
    line.accept(new MemoryLine.Head(MemoryLine.VERSION, MemoryOwner.agent(agent)));
    List<Block> blocks = store.blocks(agent);
    for (Block block : blocks) {
      line.accept(new MemoryLine.OfBlock(block));
      store.edits(agent, block.label(), Integer.MAX_VALUE).reversed().stream()
          .map(MemoryLine.OfEdit::new)
          .forEach(line);
    }
    store.sharedBy(agent).stream().map(MemoryLine.OfShare::new).forEach(line);
    long before = lines.get();
    store.forEachEntry(agent, entry -> line.accept(new MemoryLine.OfEntry(entry)));
    long entries = lines.get() - before;
    line.accept(new MemoryLine.End(lines.get()));
    return new Moved(blocks.size(), entries, 0);
  }

  /// Imports the memory in a file into a store, for that agent, whichever agent exported it. The
  /// whole file is checked before the import. Equal blocks, and entries whose domain and id exist,
  /// are skipped, so an interrupted import can be repeated.
  ///
  /// @param replace whether existing blocks that differ are replaced
  /// @throws MemoryException when the file is invalid, or a block exists and must not be replaced;
  ///   then nothing is imported
  public static Moved read(Path file, MemoryStore store, String agent, boolean replace)
      throws IOException {
    MemoryImport read = new MemoryImport(store, agent);
    eachLine(file, agent, read::check);
    read.checkEnd();
    if (!replace) {
      read.refuseOthers();
    }
    read.takeBlocks();
    eachLine(file, agent, (number, line) -> read.take(line));
    return read.moved();
  }

  private interface Reader {
    void read(long number, MemoryLine line);
  }

  private static void eachLine(Path file, String agent, Reader reader) throws IOException {
    long number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        number++;
        text = number == 1 && text.startsWith("\ufeff") ? text.substring(1) : text;
        if (!text.isBlank()) {
          reader.read(number, MemoryLine.read(text, agent));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new MemoryException(
          Kind.INVALID,
          "Line %d is not a line of an agent's memory: %s.".formatted(number, e.getMessage()));
    } catch (CharacterCodingException e) {
      throw new MemoryException(Kind.INVALID, "Line %d is not UTF-8 text.".formatted(number + 1));
    }
  }

  /// The amount of memory that was exported or imported.
  ///
  /// @param known the number of blocks and entries that existed and were skipped
  public record Moved(int blocks, long entries, long known) {}
}
