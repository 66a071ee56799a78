package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What the build says where something is missing.
class BuildTest {
  private static final Pattern FINDS_A_JDK =
      Pattern.compile(
          "maven-toolchains-plugin</artifactId>(?:(?!</plugin>).)*?<id>(.*?)</id>"
              + "(?:(?!</plugin>).)*?<version>\\[(\\d+),\\)</version>",
          Pattern.DOTALL);

  @Test
  void mavenNamesTheJdkThatIsMissingAndWhereItIsFound() throws IOException {
    Matcher found = FINDS_A_JDK.matcher(Files.readString(Repository.file("pom.xml")));

    assertThat(found.find()).isTrue();
    assertThat(found.group(1))
        .contains("a JDK " + found.group(2), "JAVA_HOME", "https://adoptium.net/installation");
  }
}
