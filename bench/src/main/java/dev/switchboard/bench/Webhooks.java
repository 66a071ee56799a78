package dev.switchboard.bench;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/// Webhook calls a second, beside a loop around the same HTTP client that makes the same requests.
final class Webhooks {
  private static final String ARGUMENTS = "{\"order_id\":\"A-1042\",\"verbose\":true}";
  private static final MediaType JSON = MediaType.get("application/json");

  // As the runtime writes it, with ids of the usual length.
  private static final String BODY =
      """
      {"tool":"order_status","tool_name":"order_status",\
      "arguments":{"order_id":"A-1042","verbose":true},\
      "call_id":"6f1c1a52-52f1-4b43-9a54-2f4f1b6f6a35","attempt":1}\
      """;

  private static final long ROUND = TimeUnit.MILLISECONDS.toNanos(25);

  private final ToolExecutor executor;
  private final HttpUrl url;
  // Each request is bounded as a whole, as a tool's attempt is, which costs less than the client's
  // own bounds on each read and write.
  private final OkHttpClient client =
      new OkHttpClient.Builder()
          .callTimeout(ToolOptions.DEFAULT_TIMEOUT)
          .connectTimeout(Duration.ZERO)
          .readTimeout(Duration.ZERO)
          .writeTimeout(Duration.ZERO)
          .retryOnConnectionFailure(false)
          .connectionPool(new ConnectionPool(256, 4, TimeUnit.SECONDS))
          .build();

  private Webhooks(LoopbackServer server) {
    url = HttpUrl.get("http://" + server.hostAndPort() + "/orders/status");
    GuardedHttp network = GuardedHttp.allowing(server.hostAndPort());
    Tool tool =
        Tool.dynamic(
                "order_status",
                """
                {"type":"object","properties":{"order_id":{"type":"string"},
                "verbose":{"type":"boolean"}},"required":["order_id"]}\
                """)
            .network(network)
            .webhook(url.uri());
    executor = ToolExecutor.of(tool);
  }

  static List<Row> run(boolean quick) throws Exception {
    List<Row> rows = new ArrayList<>();
    Duel duel = new Duel("%,.0f", 40, quick ? 80 : 400);
    try (LoopbackServer server = new LoopbackServer()) {
      Webhooks webhooks = new Webhooks(server);
      for (int concurrency : List.of(1, 64)) {
        rows.addAll(webhooks.rows(duel, concurrency, "virtual", Thread.ofVirtual()));
        rows.addAll(webhooks.rows(duel, concurrency, "platform", Thread.ofPlatform()));
      }
    }
    return rows;
  }

  private List<Row> rows(Duel duel, int concurrency, String kind, Thread.Builder callers)
      throws Exception {
    String what =
        "webhook calls a second, %d at once on %s threads / bare client loop"
            .formatted(concurrency, kind);
    return List.of(
        duel.means(
            what,
            () -> perSecond(concurrency, callers, this::call),
            () -> perSecond(concurrency, callers, this::post)),
        duel.means(
            what + " with a virtual thread for each request",
            () -> perSecond(concurrency, callers, this::call),
            () -> perSecond(concurrency, callers, this::postElsewhere)));
  }

  private static double perSecond(int concurrency, Thread.Builder callers, Runnable once)
      throws InterruptedException {
    LongAdder done = new LongAdder();
    long start = System.nanoTime();
    long end = start + ROUND;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < concurrency; i++) {
      threads.add(
          callers.start(() -> {
            while (System.nanoTime() - end < 0) {
              once.run();
              done.increment();
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return done.sum() * 1e9 / (System.nanoTime() - start);
  }

  private void call() {
    if (!executor.execute(ToolCall.of("order_status", ARGUMENTS)).success()) {
      throw new IllegalStateException("the webhook failed");
    }
  }

  private void postElsewhere() {
    try {
      Thread.ofVirtual().start(this::post).join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void post() {
    Request request =
        new Request.Builder()
            .url(url)
            .header("User-Agent", "switchboard")
            .header("Idempotency-Key", "0123456789abcdef0123456789abcdef")
            .post(RequestBody.create(BODY, JSON))
            .build();
    try (Response response = client.newCall(request).execute()) {
      if (response.body().string().isEmpty()) {
        throw new IllegalStateException("no answer");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
