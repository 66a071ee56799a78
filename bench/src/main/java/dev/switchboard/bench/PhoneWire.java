package dev.switchboard.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;

/// One end of a WebSocket with as little work as there can be: text messages only, read on the
/// thread of a selector, written at once by whoever has one to send.
final class PhoneWire {
  private static final int CLOSE = 8;
  private static final int PING = 9;

  private final SocketChannel socket;
  private final boolean client;
  private final ByteBuffer in = ByteBuffer.allocate(1 << 16);
  private final ByteBuffer out = ByteBuffer.allocate(1 << 13); // guarded by this
  private Reader reader = text -> {};
  private volatile boolean closed;

  /// What takes the messages, on the selector's thread.
  interface Reader {
    void read(String text);
  }

  private PhoneWire(SocketChannel socket, boolean client) {
    this.socket = socket;
    this.client = client;
  }

  /// Opens a connection to a server.
  ///
  /// @param head the request's line and its headers beside those of every upgrade
  static PhoneWire connect(SocketChannel socket, String head) throws IOException {
    send(
        socket,
        head
            + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
    String answer = head(socket);
    if (!answer.startsWith("HTTP/1.1 101")) {
      throw new IOException("not upgraded: " + answer.lines().findFirst().orElse(""));
    }
    return new PhoneWire(socket, true);
  }

  /// Takes a connection of a client.
  static PhoneWire accept(SocketChannel socket) throws IOException {
    String key =
        head(socket)
            .lines()
            .filter(line -> line.regionMatches(true, 0, "sec-websocket-key:", 0, 18))
            .findFirst()
            .orElseThrow(() -> new IOException("no key"))
            .substring(18)
            .strip();
    send(
        socket,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + accepted(key)
            + "\r\n\r\n");
    return new PhoneWire(socket, false);
  }

  private static String accepted(String key) throws IOException {
    try {
      byte[] salted =
          (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(salted));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static void send(SocketChannel socket, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      socket.write(bytes);
    }
  }

  private static String head(SocketChannel socket) throws IOException {
    StringBuilder head = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (head.indexOf("\r\n\r\n") < 0) {
      if (socket.read(one.clear()) < 0) {
        throw new IOException("closed");
      }
      head.append((char) one.get(0));
    }
    return head.toString();
  }

  /// Has that selector read it.
  void listen(Selector selector, Reader by) throws IOException {
    reader = by;
    socket.configureBlocking(false);
    socket.register(selector, SelectionKey.OP_READ, this);
    selector.wakeup();
  }

  /// Reads what is there.
  void read() {
    try {
      int count = socket.read(in);
      in.flip();
      while (frame()) {}
      in.compact();
      if (count < 0) {
        close();
      }
    } catch (IOException e) {
      close();
    }
  }

  /// Takes one whole frame, if there is one.
  private boolean frame() throws IOException {
    int start = in.position();
    if (in.remaining() < 2) {
      return false;
    }
    int kind = in.get(start) & 0x0f;
    boolean masked = (in.get(start + 1) & 0x80) != 0;
    int length = in.get(start + 1) & 0x7f;
    int at = start + 2;
    if (length == 126) {
      if (in.remaining() < 4) {
        return false;
      }
      length = in.getShort(start + 2) & 0xffff;
      at += 2;
    } else if (length == 127) {
      throw new IOException("longer than anything here");
    }
    int mask = masked ? at : -1;
    at += masked ? 4 : 0;
    if (in.limit() - at < length) {
      return false;
    }
    byte[] payload = new byte[length];
    in.get(at, payload);
    for (int i = 0; masked && i < length; i++) {
      payload[i] ^= in.get(mask + (i & 3));
    }
    in.position(at + length);
    take(kind, payload);
    return true;
  }

  private void take(int kind, byte[] payload) {
    if (kind == PING) {
      send(10, payload);
    } else if (kind == CLOSE) {
      send(CLOSE, payload);
      close();
    } else if (kind == 1) {
      reader.read(new String(payload, StandardCharsets.ISO_8859_1));
    }
  }

  /// Sends a message of ASCII.
  void send(String text) {
    send(1, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private synchronized void send(int kind, byte[] payload) {
    out.clear().put((byte) (0x80 | kind));
    int masked = client ? 0x80 : 0;
    if (payload.length < 126) {
      out.put((byte) (masked | payload.length));
    } else {
      out.put((byte) (masked | 126)).putShort((short) payload.length);
    }
    if (client) {
      out.putInt(0);
    }
    out.put(payload).flip();
    try {
      while (out.hasRemaining() && !closed) {
        socket.write(out);
      }
    } catch (IOException e) {
      close();
    }
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    try {
      socket.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
