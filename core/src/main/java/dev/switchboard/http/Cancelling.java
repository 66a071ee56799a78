package dev.switchboard.http;

import java.util.concurrent.locks.ReentrantLock;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Request;

/// Keeps the cancelling of a request from the next one on its connection.
///
/// The HTTP client closes the connection that a request had when its cancelling began; by then the
/// answer may be in and the connection another request's. So what ends an answer and what cancels
/// its request wait for each other. Thread-safe.
public final class Cancelling {
  /// What the client must tell of its requests.
  public static final EventListener LISTENER =
      new EventListener() {
        // Told before others may have the connection.
        @Override
        public void responseBodyEnd(Call call, long byteCount) {
          Cancelling cancelling = call.request().tag(Cancelling.class);
          if (cancelling != null) {
            cancelling.answered();
          }
        }
      };

  private final ReentrantLock lock = new ReentrantLock();
  private boolean answered; // guarded by lock

  private Cancelling() {}

  /// The request, prepared to be cancelled only by [#cancel].
  public static Request.Builder prepare(Request.Builder request) {
    return request.tag(Cancelling.class, new Cancelling());
  }

  /// Cancels a request from another thread, unless its answer is in.
  public static void cancel(Call call) {
    Cancelling cancelling = call.request().tag(Cancelling.class);
    if (cancelling == null) {
      throw new IllegalArgumentException("the request was not prepared");
    }
    cancelling.cancelUnanswered(call);
  }

  private void answered() {
    lock.lock();
    try {
      answered = true;
    } finally {
      lock.unlock();
    }
  }

  private void cancelUnanswered(Call call) {
    lock.lock();
    try {
      if (!answered) {
        call.cancel();
      }
    } finally {
      lock.unlock();
    }
  }
}
