package dev.switchboard.provider;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/// The embeddings of the server itself, written down with `-Dexchanges=record`.
@Tag("servers")
class LiveEmbeddingsTest implements EmbeddingsContract {
  private static Aimock aimock;

  @BeforeAll
  static void start() {
    aimock = Aimock.start(Places.servers());
  }

  @AfterAll
  static void stop() {
    if (aimock != null) {
      aimock.close();
    }
  }

  @Override
  public ModelServer.Source source() {
    return aimock.source();
  }
}
