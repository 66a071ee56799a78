package dev.switchboard.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/mcp.md` to the code that it shows.
final class McpPageTest {
  @TempDir Path folder;

  @Test
  void itsExampleCompiles() throws IOException {
    String page = Files.readString(page());
    int begin = page.indexOf("```java\n") + "```java\n".length();
    Path source = folder.resolve("Helper.java");
    Files.writeString(source, page.substring(begin, page.indexOf("```\n", begin)));

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
    assertThat(folder.resolve("Helper.class")).exists();
  }

  private static Path page() {
    Path here = Path.of("").toAbsolutePath();
    Path root = here.endsWith("mcp") ? here.getParent() : here;
    return root.resolve("docs/how-to/mcp.md");
  }
}
