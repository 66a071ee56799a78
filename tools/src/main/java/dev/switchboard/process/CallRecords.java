package dev.switchboard.process;

import dev.switchboard.text.DerivedId;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The folders of the records of phone calls, one for each call in one for each day.
///
/// @param log the folder of all calls
public record CallRecords(Path log) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");
  private static final int LONGEST = 80; // with a hash
  private static final int HASH = 16;
  private static final String DAYS = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]";

  /// The folder of the call of that id, which began then.
  public Path folder(String id, Instant began) {
    return folder(LocalDate.ofInstant(began, ZoneOffset.UTC), id);
  }

  private Path folder(LocalDate day, String id) {
    return log.resolve(day.toString()).resolve(name(id));
  }

  /// The id as the name of a folder, which no other id has.
  public static String name(String id) {
    if (NAME.matcher(id).matches()) {
      return id;
    }
    String safe = id.replaceAll("[^A-Za-z0-9_-]", "_");
    return safe.substring(0, Math.min(safe.length(), LONGEST))
        + "-"
        + DerivedId.hash(id).substring(0, HASH);
  }

  /// Deletes the record of a call, if there is one.
  ///
  /// @param stored when its conversation was first stored, within a day of its beginning; null if
  ///   that is unknown
  public void delete(String id, @Nullable Instant stored) throws IOException {
    for (Path day : days(stored)) {
      Path folder = day.resolve(name(id));
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        Files.walkFileTree(folder, new Deleting());
        deleteEmpty(day);
      }
    }
  }

  private List<Path> days(@Nullable Instant stored) throws IOException {
    List<Path> days = new ArrayList<>();
    if (stored != null) {
      LocalDate day = LocalDate.ofInstant(stored, ZoneOffset.UTC);
      for (int i = -1; i <= 1; i++) {
        days.add(log.resolve(day.plusDays(i).toString()));
      }
    } else if (Files.isDirectory(log)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(log, DAYS)) {
        all.forEach(days::add);
      }
    }
    return days;
  }

  private static void deleteEmpty(Path day) throws IOException {
    try {
      Files.deleteIfExists(day);
    } catch (DirectoryNotEmptyException e) {
      // It has records of other calls.
    }
  }

  /// Links are deleted, and what they lead to is not.
  private static final class Deleting extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      if (e != null) {
        throw e;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
