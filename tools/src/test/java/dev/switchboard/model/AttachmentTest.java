package dev.switchboard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Records;
import dev.switchboard.model.Message.Attachment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttachmentTest {
  private static final byte[] GIF = bytes("GIF89a and so on");

  @TempDir private Path folder;

  private static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String base64(String latin) {
    return Base64.getEncoder().encodeToString(bytes(latin));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "image/png|\u0089PNG\\r\\n\u001a\\n0000",
        "image/jpeg|\u00ff\u00d8\u00ff0000",
        "image/gif|GIF87a00",
        "image/webp|RIFF0000WEBP",
        "application/pdf|%PDF-1.7",
        "text/plain|Hello"
      })
  void aFileTellsItsTypeByItsBytes(String type, String head) throws IOException {
    String content = head.replace("\\r", "\r").replace("\\n", "\n");
    Path file = Files.write(folder.resolve("a file"), bytes(content));

    Attachment read = Attachment.read(file);

    assertThat(read.type()).isEqualTo(type);
    assertThat(read.name()).isEqualTo("a file");
    assertThat(read.size()).isEqualTo(content.length());
    assertThat(Attachment.ofDataUrl(read.dataUrl(), "a file")).isEqualTo(read);
    assertThat(Records.read(Records.write(read).tree(), Attachment.class)).isEqualTo(read);
    assertThatThrownBy(() ->
            new Attachment(type.equals("image/png") ? "image/gif" : "image/png", read.data(), null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"image/svg+xml", "text/html", "image/PNG", "", "image/png; x", "audio/wav"})
  void otherTypesAreNotTaken(String type) {
    assertThatThrownBy(() -> new Attachment(type, base64("GIF89a"), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not taken: use image/png, image/jpeg");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "R0lG",
        "R0lGODlh\n",
        "R0lGODlh=",
        "R0lG ODlh",
        "R0lGOD_-",
        "R0lGODl",
        "====",
        "R0=="
      })
  void whatIsNotBase64OfAnImageIsNotTaken(String data) {
    assertThatThrownBy(() -> new Attachment("image/gif", data, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tooLargeIsNotTakenWhereverItComesFrom() throws IOException {
    byte[] most = new byte[Attachment.MOST_BYTES + 1];
    System.arraycopy(GIF, 0, most, 0, GIF.length);
    Path file = Files.write(folder.resolve("large.gif"), most);

    assertThatThrownBy(() -> Attachment.read(file)).hasMessage("a file has at most 5 MiB");
    assertThatThrownBy(() -> Attachment.of("image/gif", most))
        .hasMessage("a file has at most 5 MiB");
    String data = Base64.getEncoder().encodeToString(most);
    assertThatThrownBy(() -> new Attachment("image/gif", data, null))
        .hasMessage("a file has at most 5 MiB");
    assertThatThrownBy(
            () -> new Message.User("", Collections.nCopies(11, Attachment.of("image/gif", GIF))))
        .hasMessage("a sentence has at most 10 files, not 11");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com/a.png",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "data:image/gif,GIF89a",
        "data:image/gif;base64",
        "javascript:alert(1)",
        ""
      })
  void noUrlIsFetched(String url) {
    assertThatThrownBy(() -> Attachment.ofDataUrl(url, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a file must be a data: URL with its bytes in Base64; no other URL is fetched");
  }

  @Test
  void aDataUrlMayHaveParameters() {
    String url = "data:text/plain;charset=utf-8;base64," + base64("Hi");
    assertThat(Attachment.ofDataUrl(url, null).text()).isEqualTo("File 'text':\nHi");
  }

  @Test
  void aTextIsUtf8WithoutControlCharacters() {
    assertThatThrownBy(() -> Attachment.of("text/plain", bytes("\u00e9t\u00e9")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Attachment.of("text/plain", bytes("a\u0000b")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(
            Attachment.of("text/plain", "\u00e9t\u00e9\n".getBytes(StandardCharsets.UTF_8)).text())
        .endsWith("\u00e9t\u00e9\n");
  }

  @Test
  void aNameIsPlainAndShort() {
    Attachment file = Attachment.of("image/gif", GIF);

    assertThat(file.named("a\u0000\u202e\n.gif").name()).isEqualTo("a.gif");
    assertThat(file.named("\u0007").name()).isEqualTo("file");
    assertThat(file.named("x".repeat(1000)).name()).hasSize(200);
    assertThat(file.named("\ud800x").name()).isEqualTo("x");
  }

  @Test
  void itsTextIsWhatItIsAndNeverItsBytes() {
    Attachment file = Attachment.of("image/gif", GIF).named("a.gif");

    assertThat(file).hasToString("[image/gif, 16 bytes, a.gif]");
    assertThat(new Message.User("Look", file).shown())
        .isEqualTo("Look\n[image/gif, 16 bytes, a.gif]");
    assertThat(new Message.User("", file).shown()).isEqualTo("[image/gif, 16 bytes, a.gif]");
    assertThat(Attachment.placeholder("image/png", 12_345, null)).isEqualTo("[image/png, 12 kB]");
    assertThat(Attachment.placeholder("image/png", 3_400_000, null))
        .isEqualTo("[image/png, 3.4 MB]");
  }

  @Test
  void aFileThatIsNotThereCannotBeRead() {
    assertThatThrownBy(() -> Attachment.read(folder.resolve("none.png")))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> Attachment.read(Files.createFile(folder.resolve("empty.png"))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
