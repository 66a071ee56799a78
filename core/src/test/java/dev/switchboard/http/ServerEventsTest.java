package dev.switchboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import okio.Buffer;
import org.junit.jupiter.api.Test;

class ServerEventsTest {
  @Test
  void anEventEndsAtAnEmptyLine() throws IOException {
    assertThat(events("data: a\n\ndata: b\n\n")).containsExactly("a", "b");
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
