package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What ships has none of the versions with known holes, by `build/minimum-versions.txt`.
class ShippedVersionsTest {
  private static final Path LIST = Repository.file("build/minimum-versions.txt");
  private static final Pattern JAR =
      Pattern.compile(".*/repository/(.+)/([^/]+)/([^/]+)/\\2-\\3[^/]*\\.jar");

  private static final Pattern ADVISORY =
      Pattern.compile("CVE-20\\d\\d-\\d{4,}|GHSA(-[0-9a-z]{4}){3}");

  private record Artifact(String group, String name, String version) {
    static Stream<Artifact> of(String jar) {
      Matcher found = JAR.matcher(jar.replace(File.separatorChar, '/'));
      return found.matches()
          ? Stream.of(
              new Artifact(found.group(1).replace('/', '.'), found.group(2), found.group(3)))
          : Stream.empty();
    }

    boolean is(Minimum minimum, Set<String> named) {
      String artifact = group + ":" + name;
      return minimum.artifact.equals(artifact)
          || minimum.artifact.equals(group + ":*") && !named.contains(artifact);
    }
  }

  private record Minimum(String artifact, String version) {
    static Optional<Minimum> of(String line) {
      String[] words = line.split("\\s+", 3);
      return line.isBlank() || line.startsWith("#")
          ? Optional.empty()
          : Optional.of(new Minimum(words[0], words[1]));
    }
  }

  @Test
  void noneHasKnownHoles() throws IOException {
    List<Minimum> minimums =
        Files.readAllLines(LIST).stream().flatMap(line -> Minimum.of(line).stream()).toList();
    List<Artifact> shipped =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .flatMap(Artifact::of)
            .toList();

    Set<String> named = minimums.stream().map(Minimum::artifact).collect(Collectors.toSet());
    assertThat(shipped).as("jars of the class path").hasSizeGreaterThan(50);
    for (Minimum minimum : minimums) {
      List<Artifact> known = shipped.stream().filter(one -> one.is(minimum, named)).toList();
      assertThat(known).as("what %s stands for".formatted(minimum.artifact)).isNotEmpty();
      assertThat(known)
          .as("at least %s, by %s".formatted(minimum.version, LIST))
          .allMatch(one -> isAtLeast(one.version, minimum.version));
    }
  }

  @Test
  void eachLineNamesAnAdvisory() throws IOException {
    assertThat(Files.readAllLines(LIST))
        .filteredOn(line -> !line.isBlank() && !line.startsWith("#"))
        .allMatch(line -> ADVISORY.matcher(line).find());
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3, 1.2.3, true",
    "1.10, 1.9.9, true",
    "1.9.9, 1.10, false",
    "4.1.124.Final, 4.1.140.Final, false",
    "2.0.0-rc1, 2.0.0, false",
    "2.21, 2.21.1, false",
  })
  void versionsAreComparedByTheirNumbers(String version, String least, boolean enough) {
    assertThat(isAtLeast(version, least)).isEqualTo(enough);
  }

  private static boolean isAtLeast(String version, String least) {
    int[] known = numbers(version);
    int[] wanted = numbers(least);
    int compared = Arrays.compare(known, wanted);
    // A candidate comes before its release.
    return compared > 0 || compared == 0 && !version.matches(".*-(alpha|beta|rc|M).*");
  }

  private static int[] numbers(String version) {
    String digits = version.replaceFirst("[-.][A-Za-z].*", "");
    int[] numbers = new int[6];
    String[] parts = digits.split("\\.");
    for (int i = 0; i < parts.length && i < numbers.length; i++) {
      numbers[i] = Integer.parseInt(parts[i]);
    }
    return numbers;
  }
}
