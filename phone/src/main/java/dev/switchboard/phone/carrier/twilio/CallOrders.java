package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.http.DirectSockets;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.phone.carrier.Carrier.Answer;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.Credentials;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/// Orders for calls, over Twilio's REST API.
///
/// Thread-safe.
final class CallOrders {
  private static final int ATTEMPTS = 3;
  private static final Duration BACK_OFF = Duration.ofMillis(400);
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final long LONGEST_ANSWER = 64 * 1024;
  private static final int GONE = 20_404;
  private static final int NOT_IN_PROGRESS = 21_220;

  private final HttpUrl calls;
  private final String credentials;
  private final Time time;

  /// Created when first needed, since it takes a tenth of a second.
  private static final class Shared {
    static final OkHttpClient CLIENT =
        DirectSockets.client()
            .connectionPool(new ConnectionPool(16, 4, TimeUnit.SECONDS))
            .connectTimeout(CONNECT)
            .callTimeout(ANSWER)
            .build();
  }

  /// The client of all requests to Twilio.
  static OkHttpClient client() {
    return Shared.CLIENT;
  }

  /// The outcome of one attempt.
  ///
  /// @param again whether it may be retried, if the order is idempotent
  /// @param unseen whether the carrier cannot have acted on it
  private record Outcome(Answer answer, boolean again, boolean unseen) {}

  /// @param base the URL before `/2010-04-01`
  CallOrders(HttpUrl base, String account, String token, Time time) {
    calls = base.newBuilder().addPathSegments("2010-04-01/Accounts/" + account + "/Calls").build();
    credentials = Credentials.basic(account, token, StandardCharsets.UTF_8);
    this.time = time;
  }

  /// Updates a call.
  ///
  /// @param twice whether the order is idempotent
  /// @param ends whether it ends the call, so that a call that has ended is not a failure
  Answer give(String call, FormBody form, boolean twice, boolean ends) {
    Outcome outcome = attempt(call, form, ends);
    for (int attempt = 1;
        attempt < ATTEMPTS && outcome.again && (twice || outcome.unseen);
        attempt++) {
      time.pause(new Time.Signal(), BACK_OFF.multipliedBy(1L << attempt - 1));
      if (Thread.currentThread().isInterrupted()) {
        return outcome.answer;
      }
      outcome = attempt(call, form, ends);
    }
    return outcome.answer;
  }

  private Outcome attempt(String call, FormBody form, boolean ends) {
    WatchedBody body = new WatchedBody(form);
    Request request =
        new Request.Builder()
            .url(calls.newBuilder().addPathSegment(call + ".json").build())
            .header("Authorization", credentials)
            .header("Accept", "application/json")
            .header("User-Agent", "switchboard")
            .post(body)
            .build();
    try (Response response = client().newCall(request).execute()) {
      return outcome(response, ends);
    } catch (IOException e) {
      return new Outcome(new Answer("Twilio could not be reached."), true, !body.begun);
    }
  }

  private static Outcome outcome(Response response, boolean ends) throws IOException {
    int status = response.code();
    int code = response.isSuccessful() ? 0 : code(response);
    if (response.isSuccessful()
        || status == 404 && code == GONE
        || ends && code == NOT_IN_PROGRESS) {
      return new Outcome(Answer.TAKEN, false, false);
    }
    return new Outcome(
        new Answer(sentence(status, code)), status == 429 || status >= 500, status == 429);
  }

  private static int code(Response response) throws IOException {
    response.body().source().request(LONGEST_ANSWER);
    String text = response.body().source().getBuffer().readUtf8();
    try {
      return Json.text(text).tree().path("code").asInt(0);
    } catch (JsonException e) {
      return 0;
    }
  }

  private static String sentence(int status, int code) {
    String reason =
        switch (code) {
          case 20_003, 20_008 -> "Twilio does not accept the account and its token";
          case 20_429 -> "Twilio receives too many orders";
          case 13_223, 13_224, 13_225, 21_211, 21_214, 21_217 -> "Twilio cannot call that number";
          case 21_215, 21_216, 13_227 -> "Twilio may not call that number";
          case NOT_IN_PROGRESS -> "The call is over";
          default -> "Twilio refused the order";
        };
    String detail = code == 0 ? "" : ", code " + code;
    return "%s (status %d%s).".formatted(reason, status, detail);
  }

  /// A body that records whether any of it was sent.
  private static final class WatchedBody extends RequestBody {
    private final FormBody form;
    private volatile boolean begun;

    WatchedBody(FormBody form) {
      this.form = form;
    }

    @Override
    public @Nullable MediaType contentType() {
      return form.contentType();
    }

    @Override
    public long contentLength() {
      return form.contentLength();
    }

    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      begun = true;
      form.writeTo(sink);
    }
  }
}
