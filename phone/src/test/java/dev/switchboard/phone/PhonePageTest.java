package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/phone.md` to the code that it shows.
final class PhonePageTest {
  @TempDir Path folder;

  @Test
  void itsExampleCompiles() throws IOException {
    String page = Files.readString(page());
    int begin = page.indexOf("```java\n") + "```java\n".length();
    String code = page.substring(begin, page.indexOf("```\n", begin));
    Path source = folder.resolve("ShopPhone.java");
    Files.writeString(source, code);
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
    assertThat(folder.resolve("ShopPhone.class")).exists();
  }

  private static Path page() {
    Path here = Path.of("").toAbsolutePath();
    Path file = here.resolve("docs/how-to/phone.md");
    return Files.exists(file) ? file : here.getParent().resolve("docs/how-to/phone.md");
  }
}
