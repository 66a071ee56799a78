package dev.switchboard.provider;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import tools.jackson.databind.JsonNode;

/// The conversations with the server itself, written down with `-Dexchanges=record`.
@Tag("aimock")
class LiveConversationsTest implements ConversationsContract {
  private static final boolean RECORDS = "record".equals(System.getProperty("exchanges"));

  private static Aimock aimock;

  @BeforeAll
  static void start() {
    aimock = Aimock.start(Places.aimock());
  }

  @AfterAll
  static void stop() {
    if (aimock != null) {
      aimock.close();
    }
  }

  @Override
  public ModelServer.Source source() {
    return conversation ->
        RECORDS
            ? new RecordingServer(aimock, conversation, Places.exchanges().resolve(conversation))
            : new Direct(conversation);
  }

  private record Direct(String conversation) implements ModelServer {
    @Override
    public String url() {
      return aimock.url();
    }

    @Override
    public List<JsonNode> requests() {
      return aimock.journal(conversation);
    }

    @Override
    public void close() {}
  }
}
