package dev.switchboard.cli.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The way from a worker to its database, which may hang: it takes no byte then, and tells nobody.
/// Safe for use by several threads.
final class Network implements AutoCloseable {
  private final ServerSocket entry;
  private final int exit;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean hung; // guarded by lock

  private Network(ServerSocket entry, int exit) {
    this.entry = entry;
    this.exit = exit;
  }

  /// The way to that port of this machine.
  static Network to(int exit) {
    try {
      Network network =
          new Network(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), exit);
      Thread unused = Thread.ofPlatform().daemon().name("network").start(network::accept);
      return network;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return entry.getLocalPort();
  }

  void hang() {
    hung(true);
  }

  /// Passes on what has waited.
  void passOn() {
    hung(false);
  }

  /// Ends the connections that there are; new ones pass.
  void cut() {
    endAll();
    hung(false);
  }

  /// Forgets the connections that there are, as a router does that was started again: neither side
  /// is told. New ones pass.
  void forget() {
    open.clear();
    hung(false);
  }

  private void hung(boolean now) {
    lock.lock();
    try {
      hung = now;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!entry.isClosed()) {
      try {
        Socket near = entry.accept();
        Thread unused = Thread.ofPlatform().daemon().name("connection").start(() -> connect(near));
      } catch (IOException e) {
        // Closed.
      }
    }
  }

  private void connect(Socket near) {
    try {
      open.add(near);
      awaitPassage();
      Socket far = new Socket(InetAddress.getLoopbackAddress(), exit);
      far.setTcpNoDelay(true);
      near.setTcpNoDelay(true);
      open.add(far);
      Thread unused = Thread.ofPlatform().daemon().start(() -> pass(far, near));
      pass(near, far);
    } catch (IOException e) {
      end(near);
    }
  }

  /// Passes on what comes from one side to the other one, for as long as the connection is known.
  private void pass(Socket from, Socket to) {
    byte[] bytes = new byte[8_192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        awaitPassage();
        if (open.contains(from)) {
          out.write(bytes, 0, read);
        }
      }
      awaitPassage();
    } catch (IOException e) {
      // One side has ended it.
    }
    if (open.contains(from)) {
      end(from);
      end(to);
    }
  }

  private void awaitPassage() {
    lock.lock();
    try {
      while (hung) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void endAll() {
    open.forEach(this::end);
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It is ended.
    }
  }

  @Override
  public void close() {
    try {
      entry.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
