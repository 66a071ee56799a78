package dev.switchboard.http;

import java.util.concurrent.locks.ReentrantLock;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Request;

/// Ensures that cancelling a request does not affect the next request on its connection.
///
/// The HTTP client closes the connection that the request had when the cancellation began. By then
/// the answer may have arrived, and the connection may belong to another request. So the end of an
/// answer and the cancellation exclude each other. Thread-safe.
public final class Cancelling {
  /// The event listener that the client needs.
  public static final EventListener LISTENER =
      new EventListener() {
        // Called before another request can get the connection.
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

  /// Cancels a request from another thread, unless its answer has arrived.
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
