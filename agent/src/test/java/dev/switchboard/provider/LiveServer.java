package dev.switchboard.provider;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

/// What is tried with the server itself, and written down with `-Dexchanges=record`.
@ResourceLock("aimock") // one server for all classes, which each ends when it is done
@Tag("servers")
abstract class LiveServer {
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

  public ModelServer.Source source() {
    return aimock.source();
  }
}
