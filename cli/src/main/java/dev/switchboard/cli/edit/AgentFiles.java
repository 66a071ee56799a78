package dev.switchboard.cli.edit;

import dev.switchboard.check.Closest;
import dev.switchboard.toml.TomlText;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The agents' files in a folder: `*.toml` and `agents/*.toml`.
public final class AgentFiles {
  private AgentFiles() {}

  /// A file and the name of its agent.
  private record Named(Path file, String name) {
    @Override
    public String toString() {
      return "'" + name + "' (" + file + ")";
    }
  }

  /// The file of the agent of that name, or else the one of that file name without `.toml`.
  ///
  /// @throws EditRefusedException when there is none, or more than one
  public static Path find(Path folder, String name) throws EditRefusedException, IOException {
    List<Named> all = new ArrayList<>(in(folder));
    all.addAll(in(folder.resolve("agents")));
    List<Named> found = all.stream().filter(agent -> agent.name.equals(name)).toList();
    if (found.isEmpty()) {
      found = all.stream().filter(agent -> fileName(agent.file).equals(name)).toList();
    }
    if (found.size() == 1) {
      return found.getFirst().file;
    }
    throw new EditRefusedException(found.isEmpty() ? none(name, all) : several(name, found));
  }

  /// The files of a folder that define an agent or tools.
  public static List<Path> all(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Named named : in(folder)) {
      if (isAgent(named.file)) {
        files.add(named.file);
      }
    }
    return files;
  }

  private static boolean isAgent(Path file) throws IOException {
    try {
      var document = TomlText.parse(StoredText.read(file).text()).document();
      return document.contains("agent") || document.contains("tools");
    } catch (EditRefusedException e) {
      return false;
    }
  }

  /// The name of the agent of that file: the stated one, or else the file's.
  ///
  /// @throws EditRefusedException when it is not text or does not exist
  public static String nameOf(Path file) throws EditRefusedException, IOException {
    Object name =
        TomlText.parse(StoredText.read(file).text()).document().get(List.of("agent", "name"));
    return name instanceof String text ? text : fileName(file);
  }

  private static String fileName(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.toml$", "");
  }

  private static String readName(Path file) throws IOException {
    try {
      return nameOf(file);
    } catch (EditRefusedException e) {
      return fileName(file);
    }
  }

  private static List<Named> in(Path folder) throws IOException {
    List<Named> agents = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.toml")) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          agents.add(new Named(file, readName(file)));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return agents;
    }
    agents.sort((a, b) -> a.file.compareTo(b.file));
    return agents;
  }

  private static String none(String name, List<Named> all) {
    if (all.isEmpty()) {
      return "There is no agent's file among *.toml and agents/*.toml; name one with --file.";
    }
    List<String> closest = Closest.to(name, all.stream().map(Named::name).toList());
    String hint = closest.isEmpty() ? "." : "; did you mean '" + closest.getFirst() + "'?";
    return "No agent here is named '" + name + "', only " + list(all) + hint;
  }

  private static String several(String name, List<Named> found) {
    String files =
        found.stream().map(agent -> agent.file.toString()).collect(Collectors.joining(", "));
    return "The name '" + name + "' is that of " + files + "; say which with --file.";
  }

  private static String list(List<Named> agents) {
    return agents.stream().map(Named::toString).collect(Collectors.joining(", "));
  }
}
