package dev.switchboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Okio;
import org.junit.jupiter.api.Test;

class ServerEventsTest {
  @Test
  void anEventEndsAtAnEmptyLine() throws IOException {
    assertThat(events("data: a\n\ndata: b\n\n")).containsExactly("a", "b");
  }

  @Test
  void linesMayEndWithACarriageReturn() throws IOException {
    assertThat(events("data: a\rdata: b\r\rdata: c\r\n\r\ndata: d\n\rdata: e\r"))
        .containsExactly("a\nb", "c", "d", "e");
    assertThat(events("\r\rdata: a\r\r")).containsExactly("a");
  }

  @Test
  void anEventIsGivenBeforeTheNextByteArrives() throws IOException {
    ServerEvents events =
        new ServerEvents(
            Okio.buffer(new Endless(new Buffer().writeUtf8("data: a\r\rdata: b\r\n\r"))));

    assertThat(events.next()).isEqualTo("a");
    assertThat(events.next()).isEqualTo("b");
  }

  /// A source that breaks where it would wait.
  private static final class Endless extends ForwardingSource {
    Endless(Buffer text) {
      super(text);
    }

    @Override
    public long read(Buffer sink, long byteCount) throws IOException {
      long read = super.read(sink, byteCount);
      if (read < 0) {
        throw new IOException("waits");
      }
      return read;
    }
  }

  @Test
  void anEventThatIsTooLongIsRefusedHoweverItsLinesEnd() throws IOException {
    for (String end : List.of("\n", "\r", "\r\n", "")) {
      ServerEvents events =
          new ServerEvents(new Buffer().writeUtf8("data: " + "x".repeat(20_000) + end), 10_000);
      assertThatThrownBy(events::next).isInstanceOf(ResponseTooLargeException.class);
    }
  }

  @Test
  void namesTheEventThatItGave() throws IOException {
    ServerEvents events =
        new ServerEvents(
            new Buffer().writeUtf8("event: error\ndata: a\n\ndata: b\n\nevent: x\n\ndata: c\n\n"));
    List<String> names = new ArrayList<>();
    while (events.next() != null) {
      names.add(events.name());
    }
    assertThat(names).containsExactly("error", "", "");
  }

  @Test
  void linesOfOneEventAreJoined() throws IOException {
    assertThat(events("event: x\ndata: a\nid: 7\ndata\ndata:b\n\n")).containsExactly("a\n\nb");
  }

  @Test
  void oneSpaceBehindTheColonIsNotPart() throws IOException {
    assertThat(events("data:  a \n\n")).containsExactly(" a ");
  }

  @Test
  void commentsAndEventsWithoutDataArePassedOver() throws IOException {
    assertThat(events("\ufeff: hello\n\nevent: ping\n\ndata:\n\ndatum: b\n\n\ndata: a\n\n"))
        .containsExactly("a");
  }

  @Test
  void theLastEventNeedsNoEmptyLine() throws IOException {
    assertThat(events("data: a\n\ndata: [DONE]")).containsExactly("a", "[DONE]");
    assertThat(events("")).isEmpty();
  }

  private static List<String> events(String text) throws IOException {
    ServerEvents events = new ServerEvents(new Buffer().writeUtf8(text));
    List<String> all = new ArrayList<>();
    for (String data = events.next(); data != null; data = events.next()) {
      all.add(data);
    }
    return all;
  }
}
