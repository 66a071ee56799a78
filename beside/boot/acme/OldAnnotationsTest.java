package acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OldAnnotationsTest {
  private static final String REMEDY = "<jackson-bom.version>2.21.0</jackson-bom.version>";

  @Test
  void everyUseNamesTheRemedy() {
    for (int time = 1; time <= 2; time++) {
      assertThatThrownBy(Shop::order)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("jackson-annotations")
          .hasMessageContaining(REMEDY);
    }
  }

  @Test
  void thePageAndTheApplicationThatFollowsItHaveThatRemedy() throws IOException {
    assertThat(Files.readString(Path.of("../../docs/how-to/spring-boot.md"))).contains(REMEDY);
    assertThat(Files.readString(Path.of("../boot3/pom.xml"))).contains(REMEDY);
  }
}
