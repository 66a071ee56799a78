package dev.switchboard.restate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// One address in front of several servers of this machine: each connection goes to one of those
/// that answer. It may stop to pass anything on, as a network does that hangs.
final class Balancer implements AutoCloseable {
  private static final int PIECE = 16 * 1024;

  private final ServerSocket socket;
  private final List<Integer> servers = new CopyOnWriteArrayList<>(); // their ports
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turn = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition passing = lock.newCondition();
  private boolean hangs; // guarded by lock

  private Balancer(ServerSocket socket) {
    this.socket = socket;
  }

  static Balancer start() {
    try {
      Balancer balancer = new Balancer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().name("balancer").start(balancer::accept);
      return balancer;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  int port() {
    return socket.getLocalPort();
  }

  /// Has a server at that port take connections too.
  void add(int port) {
    servers.add(port);
  }

  /// Leaves out the server at that port and breaks its connections, as balancers do with one that
  /// does not answer.
  void leaveOut(int port) {
    servers.removeIf(one -> one == port);
    open.stream().filter(one -> one.getPort() == port).forEach(Balancer::close);
  }

  /// Passes nothing on until it is told to; connections stay open.
  void hang(boolean now) {
    lock.lock();
    try {
      hangs = now;
      passing.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Thread.ofVirtual().start(() -> connect(client));
      } catch (IOException e) {
        // It is closed.
      }
    }
  }

  private void connect(Socket client) {
    int first = turn.getAndIncrement();
    for (int i = 0; i < servers.size(); i++) {
      int port = servers.get(Math.floorMod(first + i, servers.size()));
      try {
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        if (!servers.contains(port)) { // left out meanwhile, perhaps without this one
          close(server);
        }
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> pass(server, client));
        return;
      } catch (IOException e) {
        // The next one may be there.
      }
    }
    close(client);
  }

  private void pass(Socket from, Socket to) {
    byte[] piece = new byte[PIECE];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        awaitPassing();
        out.write(piece, 0, length);
        out.flush();
      }
    } catch (IOException e) {
      // One of them has gone.
    } finally {
      open.remove(from);
    }
  }

  private void awaitPassing() {
    lock.lock();
    try {
      while (hangs) {
        passing.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private static void close(AutoCloseable one) {
    try {
      one.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    close(socket);
    open.forEach(Balancer::close);
    hang(false);
  }
}
