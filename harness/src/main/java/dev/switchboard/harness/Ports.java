package dev.switchboard.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// Ports that a test needs to know before anything listens on them.
public final class Ports {
  /// A port on which nothing listens. The port of a server that was closed is not one: another
  /// test's server may have it by then.
  public static final int CLOSED = 1;

  // Below those which Linux, macOS and Windows give to servers that ask for any.
  private static final int FIRST = 20_000;
  private static final int LAST = 30_000;

  private Ports() {}

  /// A port that is free, and is given to no server that asks for any.
  public static int free() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // The next one.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
