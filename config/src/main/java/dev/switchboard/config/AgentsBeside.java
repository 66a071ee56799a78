package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.memory.Block;
import dev.switchboard.toml.TextFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The agents whose files are in the folder of another one, or in `agents` below it. A file that
/// cannot be read as an agent's is none.
final class AgentsBeside {
  private static final int MOST = 500;

  private AgentsBeside() {}

  /// The blocks of each agent beside that file, by their labels, by the agent's name.
  static Map<String, Map<String, Block>> of(Path file) {
    Path folder = folder(file);
    Map<String, Map<String, Block>> agents = new TreeMap<>();
    List<Path> files = new ArrayList<>(in(folder));
    files.addAll(in(folder.resolve("agents")));
    for (Path other : files.subList(0, Math.min(MOST, files.size()))) {
      if (!other.equals(file.toAbsolutePath())) {
        read(other, agents);
      }
    }
    return agents;
  }

  private static Path folder(Path file) {
    return requireNonNullElse(file.toAbsolutePath().getParent(), Path.of(""));
  }

  private static List<Path> in(Path folder) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*.toml")) {
      for (Path file : all) {
        if (Files.isRegularFile(file)) {
          files.add(file);
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    files.sort(Path::compareTo);
    return files;
  }

  private static void read(Path file, Map<String, Map<String, Block>> agents) {
    try {
      Source source = Source.read(file.toString(), TextFile.read(file), new FaultList());
      AgentToml toml = source == null ? null : Binder.bound(Value.root(source), AgentToml.class);
      AgentToml.Agent agent = toml == null ? null : toml.agent();
      if (agent == null) {
        return;
      }
      String name =
          requireNonNullElse(
              agent.name(), String.valueOf(file.getFileName()).replaceFirst("\\.toml$", ""));
      Map<String, Block> blocks = new LinkedHashMap<>();
      new MemoryReader(agent).blocks(name).forEach(block -> blocks.put(block.label(), block));
      agents.put(name, blocks);
    } catch (TextFile.Unreadable e) {
      // None, as the file itself would say.
    }
  }
}
