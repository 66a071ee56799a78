package dev.switchboard.phone.engine.realtime;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server of bytes, which does with a WebSocket what no library would.
final class RawEngine implements AutoCloseable {
  static final int TEXT = 0x81;
  static final int BINARY = 0x82;
  static final int CLOSE = 0x88;

  /// What it does with a connection.
  interface Behaviour {
    void on(Peer peer) throws IOException;
  }

  private final ServerSocket server;
  private final Behaviour behaviour;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  RawEngine(Behaviour behaviour) {
    this.behaviour = behaviour;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::serve);
  }

  String url() {
    return "ws://127.0.0.1:" + server.getLocalPort() + "/v1";
  }

  private void serve() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      behaviour.on(new Peer(socket));
    } catch (IOException e) {
      // The client is gone, which is what most of them are for.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The client of a connection.
  static final class Peer {
    private final DataInputStream in;
    private final OutputStream out;

    private Peer(Socket socket) throws IOException {
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    }

    /// The head of its request, in lower case.
    List<String> request() throws IOException {
      StringBuilder head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) in.readUnsignedByte());
      }
      return head.toString().lines().toList();
    }

    void bytes(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }

    /// Switches to a WebSocket.
    Peer upgrade(String... headers) throws IOException {
      String key =
          request().stream()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst()
              .orElse("");
      bytes(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Accept: "
              + accept(key)
              + "\r\n"
              + String.join("", headers)
              + "\r\n");
      return this;
    }

    private static String accept(String key) {
      try {
        MessageDigest sha = MessageDigest.getInstance("SHA-1");
        byte[] digest =
            sha.digest(
                (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                    .getBytes(StandardCharsets.ISO_8859_1));
        return Base64.getEncoder().encodeToString(digest);
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError(e);
      }
    }

    Peer text(String text) throws IOException {
      return frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    Peer frame(int first, byte[] payload) throws IOException {
      head(first, payload.length);
      out.write(payload);
      out.flush();
      return this;
    }

    void head(int first, long length) throws IOException {
      out.write(first);
      if (length < 126) {
        out.write((int) length);
      } else {
        out.write(127);
        for (int shift = 56; shift >= 0; shift -= 8) {
          out.write((int) (length >> shift) & 0xff);
        }
      }
    }

    void raw(byte[] bytes) throws IOException {
      out.write(bytes);
    }

    /// The next message that it sends.
    String read() throws IOException {
      int first = in.readUnsignedByte();
      long length = in.readUnsignedByte() & 0x7f;
      if (length == 126) {
        length = in.readUnsignedShort();
      } else if (length == 127) {
        length = in.readLong();
      }
      byte[] mask = in.readNBytes(4);
      byte[] payload = in.readNBytes((int) length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i % 4];
      }
      return (first & 0x0f) == 1 ? new String(payload, StandardCharsets.UTF_8) : read();
    }

    /// Sets a session up.
    Peer session() throws IOException {
      upgrade().text("{\"type\":\"session.created\",\"session\":{}}");
      read();
      return text(UPDATED);
    }

    /// Reads on until the client is gone.
    void drain() throws IOException {
      in.skipNBytes(Long.MAX_VALUE);
    }
  }

  static final String UPDATED =
      "{\"type\":\"session.updated\",\"session\":{\"audio\":{\"input\":{\"format\":{\"type\":\"audio/pcmu\"}},"
          + "\"output\":{\"format\":{\"type\":\"audio/pcmu\"}}}}}";
}
