package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/restate.md` to the code that it shows.
class RestatePageTest {
  @TempDir Path folder;

  @Test
  void itsExampleCompiles() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path root = here.endsWith("restate") ? here.getParent() : here;
    String page = Files.readString(root.resolve("docs/how-to/restate.md"));
    String fence = "<!-- restate -->\n```java\n";
    int begin = page.indexOf(fence) + fence.length();
    Path source =
        Files.writeString(
            folder.resolve("Orders.java"), page.substring(begin, page.indexOf("```\n", begin)));

    int faults =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());

    assertThat(faults).isZero();
  }
}
