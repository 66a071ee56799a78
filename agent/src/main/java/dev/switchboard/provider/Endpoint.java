package dev.switchboard.provider;

import dev.switchboard.http.Cancelling;
import dev.switchboard.http.OnceBody;
import dev.switchboard.http.ServerEvents;
import dev.switchboard.json.Json;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The HTTP endpoint of a model. It does not retry, follow redirects or use a proxy; answers are
/// limited in size and time.
///
/// Thread-safe.
public final class Endpoint {
  private static final long REPLY_LIMIT = 16L * 1024 * 1024;
  private static final long ERROR_LIMIT = 16L * 1024;
  private static final int MOST_BLANKS = 64; // that are passed over before a page

  private final OkHttpClient client;
  private final HttpUrl base;
  private final Request common;
  private final Failures failures;
  private final ModelOptions options;

  private Endpoint(
      OkHttpClient client, HttpUrl base, Request common, Failures failures, ModelOptions options) {
    this.client = client;
    this.base = base;
    this.common = common;
    this.failures = failures;
    this.options = options;
  }

  /// A provider's service; the options may override its base URL.
  ///
  /// @param baseUrl the provider's own
  /// @param path of the requests, below the base URL
  /// @param keyHeader the header with the key
  /// @param keyPrefix the text before the key in that header
  /// @param keyVariable the usual environment variable of keys
  public record Service(
      String baseUrl, String path, String keyHeader, String keyPrefix, String keyVariable) {}

  /// The endpoint of a model.
  ///
  /// @param model its name in messages
  /// @throws IllegalArgumentException when the base URL is not one
  public static Endpoint of(String model, Service service, ModelOptions options) {
    String given = options.baseUrl();
    HttpUrl base = base(given == null ? service.baseUrl() : given);
    Request.Builder common =
        new Request.Builder()
            .url(below(base, service.path()))
            .header("Content-Type", "application/json")
            // Compressed events would arrive in batches.
            .header("Accept-Encoding", "identity")
            .header("User-Agent", "switchboard");
    ApiKey key = options.key();
    if (key != null) {
      common.header(service.keyHeader(), service.keyPrefix() + key.text());
    }
    options.headers().forEach(common::header);
    Failures failures = new Failures(model, place(base), key, service.keyVariable());
    return new Endpoint(Clients.of(options), base, common.build(), failures, options);
  }

  private static HttpUrl below(HttpUrl base, String path) {
    return base.newBuilder().addPathSegments(path).build();
  }

  private static HttpUrl base(String text) {
    HttpUrl url = HttpUrl.parse(text.strip());
    if (url == null) {
      throw new IllegalArgumentException(
          "a model's base_url must begin with http:// or https:// and name a host");
    }
    if (!url.encodedUsername().isEmpty() || !url.encodedPassword().isEmpty()) {
      throw new IllegalArgumentException(
          "a model's base_url must not hold a user or a password; give the key as a key");
    }
    return url.newBuilder().fragment(null).build();
  }

  /// The host, and the port if it is not the default one.
  private static String place(HttpUrl url) {
    boolean usual = url.port() == HttpUrl.defaultPort(url.scheme());
    String host = url.host().contains(":") ? "[" + url.host() + "]" : url.host();
    return usual ? host : host + ":" + url.port();
  }

  /// This endpoint with one more header.
  public Endpoint withHeader(String name, String value) {
    Request more =
        common.header(name) == null ? common.newBuilder().header(name, value).build() : common;
    return new Endpoint(client, base, more, failures, options);
  }

  /// The same service's endpoint at another path, with the same connections.
  public Endpoint withPath(String path) {
    Request other = common.newBuilder().url(below(base, path)).build();
    return new Endpoint(client, base, other, failures, options);
  }

  /// The host that it connects to.
  public String host() {
    return base.host();
  }

  /// Its failures.
  public Failures failures() {
    return failures;
  }

  /// The reply to a request, which is streamed if its member `stream` is true. The reader gets an
  /// event stream event by event, any other answer at once.
  ///
  /// @throws ModelException when there is none
  public ModelReply ask(Json body, ReplyStream stream, ReplyReader reader) {
    try {
      return attempt(body, stream, reader);
    } catch (RefusedRequest e) {
      throw e.failure();
    }
  }

  /// The reply to a request, as [#ask(Json, ReplyStream, ReplyReader)], for a client that may ask
  /// in another way. The reader of a refused request has read nothing.
  ///
  /// @throws RefusedRequest when the answer has another status than success
  /// @throws ModelException when there is no reply for another reason
  public ModelReply attempt(Json body, ReplyStream stream, ReplyReader reader)
      throws RefusedRequest {
    boolean streamed = body.tree().path("stream").asBoolean(false);
    return exchange(
        body,
        stream,
        streamed ? "text/event-stream" : "application/json",
        (type, source) ->
            // Some servers do not name the type of their events.
            isEvents(type) || streamed && !isJson(type)
                ? streamed(type, source, stream, reader)
                : whole(type, source, stream, reader));
  }

  /// Waits for the whole answer to a request.
  ///
  /// @throws ModelException when there is none
  public JsonNode ask(Json body) {
    try {
      return exchange(body, ReplyStream.unheard(), "application/json", this::json);
    } catch (RefusedRequest e) {
      throw e.failure();
    }
  }

  /// Reads the body of an answer.
  private interface Reading<T> {
    T read(@Nullable MediaType type, BufferedSource source) throws IOException;
  }

  private <T> T exchange(Json body, ReplyStream stream, String accepted, Reading<T> reading)
      throws RefusedRequest {
    Progress progress = new Progress();
    Request request =
        Cancelling.prepare(common.newBuilder())
            .header("Accept", accepted)
            .tag(Progress.class, progress)
            .post(new OnceBody(body.text().getBytes(StandardCharsets.UTF_8)))
            .build();
    Call call = client.newCall(request);
    stream.onCancel(() -> Cancelling.cancel(call));
    boolean closes = false;
    try (Response response = call.execute()) {
      closes = response.protocol() == Protocol.HTTP_1_0;
      progress.answered();
      return read(response, call, reading);
    } catch (IOException e) {
      throw progress.failure(e, stream, failures, options);
    } finally {
      if (closes) {
        // Such a server closes the connection after its answer, which OkHttp does not expect.
        client.connectionPool().evictAll();
      }
    }
  }

  private <T> T read(Response response, Call call, Reading<T> reading)
      throws IOException, RefusedRequest {
    ResponseBody body = response.body();
    boolean complete = false;
    try {
      if (!response.isSuccessful()) {
        String text = beginning(body.source());
        ModelException failure =
            failures.status(response.code(), Failures.Retry.of(response), text);
        throw new RefusedRequest(response.code(), text, failure);
      }
      BufferedSource source = Okio.buffer(new LimitedSource(body.source(), REPLY_LIMIT));
      MediaType type = body.contentType();
      if (isPage(source)) {
        throw failures.misplaced(type == null || isJson(type) ? "HTML" : name(type));
      }
      T read = reading.read(type, source);
      complete = true;
      return read;
    } finally {
      if (!complete) {
        // Otherwise closing the response reads on for a while to reuse the connection.
        call.cancel();
      }
    }
  }

  private static boolean isEvents(@Nullable MediaType type) {
    return type != null && type.subtype().equals("event-stream");
  }

  private static boolean isJson(@Nullable MediaType type) {
    return type != null && type.subtype().endsWith("json");
  }

  private static String name(MediaType type) {
    return type.type() + "/" + type.subtype();
  }

  /// Whether the answer begins as HTML or XML does.
  private static boolean isPage(BufferedSource source) throws IOException {
    for (long i = 0; i < MOST_BLANKS && source.request(i + 1); i++) {
      byte c = source.getBuffer().getByte(i);
      if (!Character.isWhitespace(c)) {
        return c == '<';
      }
    }
    return false;
  }

  /// An answer as JSON. Text of another type is another service's.
  private JsonNode json(@Nullable MediaType type, BufferedSource source) throws IOException {
    String text = source.readUtf8();
    try {
      return failures.json(text);
    } catch (ModelException e) {
      throw type == null || isJson(type) || text.isBlank() ? e : failures.misplaced(name(type));
    }
  }

  private ModelReply streamed(
      @Nullable MediaType type, BufferedSource source, ReplyStream stream, ReplyReader reader)
      throws IOException {
    boolean empty = source.exhausted();
    ServerEvents events = new ServerEvents(source);
    boolean last = false;
    String first = events.next();
    if (first == null && !empty && type != null && !isEvents(type)) {
      throw failures.misplaced(name(type));
    }
    for (String data = first; data != null && !last; data = last ? null : events.next()) {
      if (stream.cancelled()) {
        throw Progress.cancelled(failures, null);
      }
      stream.alive();
      if (events.name().equals("error")) {
        throw failures.reportedEvent(data);
      }
      last = reader.event(data);
    }
    ModelReply reply = reader.end();
    stream.end();
    return reply;
  }

  private ModelReply whole(
      @Nullable MediaType type, BufferedSource source, ReplyStream stream, ReplyReader reader)
      throws IOException {
    ModelReply reply = reader.whole(json(type, source));
    if (stream.cancelled()) {
      throw Progress.cancelled(failures, null);
    }
    stream.text(reply.text());
    stream.end();
    return reply;
  }

  private static String beginning(BufferedSource source) throws IOException {
    source.request(ERROR_LIMIT);
    long size = Math.min(source.getBuffer().size(), ERROR_LIMIT);
    return source.getBuffer().readString(size, StandardCharsets.UTF_8);
  }
}
