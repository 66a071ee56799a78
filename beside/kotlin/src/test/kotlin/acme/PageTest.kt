package acme

import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Files
import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

internal class PageTest {
  private val page = Files.readString(Path.of("../../docs/how-to/kotlin.md"))

  @Test
  fun thePageShowsThisProgram() {
    assertThat(page)
      .contains("```kotlin\n" + Files.readString(Path.of("src/main/kotlin/acme/Bistro.kt")) + "```\n")
  }

  @Test
  fun thePageShowsWhatThisProgramPrints() {
    val printed = ByteArrayOutputStream()
    val before = System.out
    System.setOut(PrintStream(printed, true, Charsets.UTF_8))
    try {
      main()
    } finally {
      System.setOut(before)
    }
    assertThat(page).contains("```text\n" + printed.toString(Charsets.UTF_8) + "```\n")
  }
}
