package dev.switchboard;

import dev.switchboard.agent.Agent;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.harness.Repository;
import dev.switchboard.json.Json;
import dev.switchboard.store.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The modules that the library is made of, from the bottom to the top.
public final class LibraryModules {
  /// The folders of them.
  public static final List<String> FOLDERS = List.of("json", "tools", "agent", "store", "config");

  private LibraryModules() {}

  /// The Java files of their main code.
  public static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder : FOLDERS) {
      try (Stream<Path> files = Files.walk(Repository.file(folder + "/src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  /// The file of main code with that path below `dev/switchboard`, in whichever module it is.
  public static Path source(String path) {
    return FOLDERS.stream()
        .map(folder -> Repository.file(folder + "/src/main/java/dev/switchboard/" + path))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no module has " + path));
  }

  /// The folders of their compiled classes.
  ///
  /// @param unpacked an empty folder, for those that are in a jar
  static List<Path> classes(Path unpacked) throws IOException, URISyntaxException {
    List<Path> classes = new ArrayList<>();
    for (Class<?> type :
        List.of(Json.class, ToolExecutor.class, Agent.class, Storage.class, AgentFile.class)) {
      Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      classes.add(
          Files.isDirectory(place)
              ? place
              : unpack(place, unpacked.resolve(String.valueOf(place.getFileName()))));
    }
    return classes;
  }

  /// Without the descriptor, which asks for modules that need not be here.
  private static Path unpack(Path jar, Path folder) throws IOException {
    try (ZipFile classes = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : classes.stream().filter(LibraryModules::isClass).toList()) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        try (InputStream in = classes.getInputStream(entry)) {
          long unused = Files.copy(in, file);
        }
      }
    }
    return folder;
  }

  private static boolean isClass(ZipEntry entry) {
    return entry.getName().endsWith(".class") && !entry.getName().equals("module-info.class");
  }
}
