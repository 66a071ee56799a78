package dev.switchboard.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A way to a server on this machine whose connections are cut once, at a message of its clients;
/// new ones come through.
public final class CutWay implements AutoCloseable {
  private final ServerSocket here = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger messages = new AtomicInteger();
  private final int port;
  private final int last;

  /// @param port of the server
  /// @param last which of all messages of the clients is lost with the connections, from 1
  public CutWay(int port, int last) throws IOException {
    this.port = port;
    this.last = last;
    Thread unused = Thread.ofVirtual().start(this::accept);
  }

  /// The port for clients.
  public int port() {
    return here.getLocalPort();
  }

  /// Whether the connections were cut.
  public boolean isCut() {
    return messages.get() >= last;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = here.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.addAll(List.of(client, server));
        Thread unusedOne = Thread.ofVirtual().start(() -> pump(client, server, true));
        Thread unusedTwo = Thread.ofVirtual().start(() -> pump(server, client, false));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void pump(Socket from, Socket to, boolean isClient) {
    byte[] buffer = new byte[65_536];
    try (from;
        to) {
      for (int read = from.getInputStream().read(buffer);
          read >= 0;
          read = from.getInputStream().read(buffer)) {
        if (isClient && messages.incrementAndGet() == last) {
          cut();
          return;
        }
        to.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    here.close();
    cut();
  }
}
