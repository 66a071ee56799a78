package dev.switchboard.phone.carrier.relay;

import dev.switchboard.mount.Mount;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Messages to the other side of a socket. Each waits until the one before it has been sent; a
/// socket whose other side does not read is closed.
///
/// Thread-safe.
public final class SocketQueue {
  // Four minutes of audio, far more than is sent ahead.
  private static final int MOST_WAITING = 2 << 20;
  private static final int NORMAL = 1000;
  private static final int OVERLOADED = 1013;

  private final Mount.Channel channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Message> waiting = new ArrayDeque<>(); // guarded by lock
  private int size; // of what waits, in bytes; guarded by lock
  // Whether a thread, or the end of a message, sends what waits; guarded by lock.
  private boolean sending;
  private boolean closed; // guarded by lock
  private @Nullable String farewell; // why to close after what waits; guarded by lock

  /// A message to send.
  public interface Message {
    /// What it counts while it waits, in bytes.
    int size();

    /// Its text.
    String text();
  }

  /// The messages of that socket.
  public SocketQueue(Mount.Channel channel) {
    this.channel = channel;
  }

  /// Sends a message, after those that wait.
  public void add(Message message) {
    boolean full;
    boolean idle = false;
    lock.lock();
    try {
      boolean open = !closed && farewell == null;
      full = open && size + message.size() > MOST_WAITING;
      if (open && !full) {
        waiting.add(message);
        size += message.size();
        idle = !sending;
        sending = true;
      }
    } finally {
      lock.unlock();
    }
    if (full) {
      close(OVERLOADED, "The other side does not read.");
    }
    if (idle) {
      sendWaiting();
    }
  }

  /// Closes the socket once everything before has been sent; what is added later is dropped.
  public void finish(String reason) {
    boolean idle;
    lock.lock();
    try {
      farewell = farewell == null ? reason : farewell;
      idle = !sending;
    } finally {
      lock.unlock();
    }
    if (idle) {
      close(NORMAL, reason);
    }
  }

  /// Drops the messages that wait.
  public void clear() {
    lock.lock();
    try {
      waiting.clear();
      size = 0;
    } finally {
      lock.unlock();
    }
  }

  /// Closes the socket, and sends nothing more.
  public void close(int code, String reason) {
    if (end()) {
      channel.close(code, reason);
    }
  }

  /// Sends nothing more, after the socket was closed.
  ///
  /// @return whether it was open before
  public boolean end() {
    lock.lock();
    try {
      boolean was = closed;
      closed = true;
      waiting.clear();
      return !was;
    } finally {
      lock.unlock();
    }
  }

  /// Sends what waits, on this thread as long as the network takes it at once.
  private void sendWaiting() {
    for (Message message = next(); message != null; message = next()) {
      CompletableFuture<?> sent = channel.send(message.text());
      if (sent.isCompletedExceptionally()) {
        lost();
      } else if (!sent.isDone()) {
        var unused = sent.whenComplete(this::sent);
        return;
      }
    }
  }

  private void sent(@Nullable Object result, @Nullable Throwable thrown) {
    if (thrown != null) {
      lost();
    }
    sendWaiting();
  }

  /// The socket is closed, which is reported as its end, or the other side does not read.
  private void lost() {
    close(NORMAL, "");
  }

  private @Nullable Message next() {
    Message message;
    String why;
    lock.lock();
    try {
      message = waiting.poll();
      sending = message != null;
      size -= message == null ? 0 : message.size();
      why = farewell;
    } finally {
      lock.unlock();
    }
    if (message == null && why != null) {
      close(NORMAL, why);
    }
    return message;
  }
}
