package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.provider.SdkPrograms.Request;
import dev.switchboard.provider.SdkPrograms.Source;
import dev.switchboard.testing.StubResponses;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Streams of replies, as the providers' packages read them and as we do.
@Tag("servers")
class SdkStreamsTest {
  private static final StubWebhook SERVER = StubWebhook.start();
  private static final List<Reply> WHOLE = new ArrayList<>();
  private static final List<Reply> BROKEN = new ArrayList<>();
  private static List<JsonNode> read = List.of(); // by the packages: of whole, then of broken ones

  /// A reply as a stream.
  private record Reply(String name, Sdk sdk, String stream) {
    /// This reply with other events.
    Reply broken(String how, Consumer<List<String>> change) {
      List<String> events = new ArrayList<>(Arrays.asList(stream.split("\n\n")));
      change.accept(events);
      String other = String.join("\n\n", events) + "\n\n";
      assertThat(other).as(how).isNotEqualTo(stream);
      return new Reply(sdk + " " + how, sdk, other);
    }
  }

  @BeforeAll
  static void read() {
    WHOLE.addAll(responses());
    WHOLE.add(stub(Sdk.CHAT));
    WHOLE.add(stub(Sdk.ANTHROPIC));
    BROKEN.addAll(broken(WHOLE.get(0), WHOLE.get(2), WHOLE.get(3)));
    Exchange.all()
        .forEach((name, exchange) -> {
          if (exchange.isStream()) {
            WHOLE.add(new Reply(name, Sdk.of(exchange.path()), exchange.answer()));
          }
        });
    List<Reply> all = Stream.concat(WHOLE.stream(), BROKEN.stream()).toList();
    SERVER.answer(request -> {
      int place = Integer.parseInt(request.path().split("/")[1]);
      return ProviderPlace.sse(all.get(place).stream);
    });
    List<Source> sources = new ArrayList<>();
    for (Reply reply : all) {
      sources.add(new Source(reply.sdk, url(sources.size())));
    }
    read = SdkPrograms.read(sources);
  }

  private static String url(int place) {
    return SERVER.url("/" + place);
  }

  @AfterAll
  static void close() {
    SERVER.close();
  }

  /// The replies of our server of responses to the requests of our client.
  private static List<Reply> responses() {
    List<Reply> replies = new ArrayList<>();
    try (StubResponses server = SdkTalks.scripted()) {
      for (Request request : SdkTalks.requests(Sdk.RESPONSES).subList(0, 2)) {
        replies.add(new Reply("StubResponses", Sdk.RESPONSES, post(server, request.body())));
      }
    }
    return replies;
  }

  private static String post(StubResponses server, JsonNode body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/responses"))
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no answer", e);
    }
  }

  private static Reply stub(Sdk sdk) {
    return new Reply("stub of " + sdk, sdk, SdkTalks.stream(sdk));
  }

  private static List<Reply> broken(Reply response, Reply chat, Reply message) {
    return List.of(
        response.broken("cut", List::removeLast),
        response.broken("without beginnings", events -> without(events, "output_item.added")),
        response.broken(
            "in another order",
            events -> events.add(place(events, "output_item.added"), take(events, "\"delta\""))),
        chat.broken("cut", events -> events.subList(events.size() - 2, events.size()).clear()),
        chat.broken("without a fragment", events -> take(events, "\" see.\"")),
        message.broken("cut", List::removeLast),
        message.broken("without beginnings", events -> without(events, "content_block_start")),
        message.broken("without a fragment", events -> take(events, "\" see.\"")),
        message.broken(
            "in another order",
            events ->
                events.add(
                    place(events, "\"content_block_start\",\"index\":2"),
                    take(events, "\"content_block_start\",\"index\":3"))));
  }

  private static void without(List<String> events, String what) {
    events.removeIf(event -> event.contains(what));
  }

  private static String take(List<String> events, String what) {
    return events.remove(place(events, what));
  }

  private static int place(List<String> events, String what) {
    int place = 0;
    while (!events.get(place).contains(what)) {
      place++;
    }
    return place;
  }

  /// What our client reads, in the same form.
  private static JsonNode ours(int place) {
    ObjectNode out = Codec.object();
    try {
      Sdk sdk = WHOLE.get(place).sdk;
      ModelReply reply = ProviderPlace.heard(sdk.model(url(place), ModelOptions.builder()));
      out.put("words", reply.text());
      var calls = out.putArray("calls");
      reply
          .calls()
          .forEach(call ->
              calls
                  .addObject()
                  .put("id", call.id())
                  .put("name", call.name())
                  .set("arguments", call.arguments().tree()));
      var items = out.putArray("items");
      if (reply.items() != null) {
        reply.items().entries().stream()
            .map(entry -> entry.tree().path("item"))
            .filter(JsonNode::isObject)
            .forEach(items::add);
      }
      return out;
    } catch (ModelException e) {
      return out.put("thrown", e.getMessage());
    }
  }

  @Test
  void areReadAsThePackagesDo() {
    for (int i = 0; i < WHOLE.size(); i++) {
      JsonNode ours = ours(i);
      String name = WHOLE.get(i).name + "\n" + WHOLE.get(i).stream;
      if (ours.has("thrown")) {
        assertThat(read.get(i).has("thrown")).as(ours + name).isTrue();
      } else {
        assertThat(read.get(i)).as(name).isEqualTo(ours);
      }
    }
    assertThat(WHOLE.subList(4, WHOLE.size())).extracting(Reply::sdk).contains(Sdk.values());
    assertThat(read.subList(0, 4)).as("stubs").noneMatch(reply -> reply.has("thrown"));
  }

  @Test
  void areNotIfTheyAreBroken() {
    for (int i = 0; i < BROKEN.size(); i++) {
      Reply reply = BROKEN.get(i);
      int whole = reply.sdk == Sdk.RESPONSES ? 0 : reply.sdk == Sdk.CHAT ? 2 : 3;
      assertThat(read.get(WHOLE.size() + i)).as(reply.name).isNotEqualTo(ours(whole));
    }
  }
}
