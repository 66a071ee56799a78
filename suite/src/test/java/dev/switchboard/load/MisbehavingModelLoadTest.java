package dev.switchboard.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Load;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Everything wrong that a model's service can say: the turn comes to rest in time, and the
/// conversation goes on once the service is well.
@Tag("load")
class MisbehavingModelLoadTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration REST = Duration.ofSeconds(8);
  private static final String KEY = "sk-secret-of-the-test";

  private final AtomicInteger runs = new AtomicInteger();
  private double longest;

  /// Answers by what is wrong with them.
  private static Map<String, StubAnswer> kinds() {
    Map<String, StubAnswer> all = new LinkedHashMap<>();
    for (int status : new int[] {100, 204, 301, 302, 400, 401, 403, 404, 408, 413, 422, 429}) {
      all.put("status " + status, StubAnswer.of(status, "{\"error\":{\"message\":\"no\"}}"));
    }
    for (int status : new int[] {500, 502, 503, 504, 529, 599}) {
      all.put("status " + status, StubAnswer.of(status, "<html>broken</html>"));
    }
    all.put("Retry-After of an hour", StubAnswer.of(429, "{}").header("Retry-After", "3600"));
    all.put(
        "Retry-After beyond an int", StubAnswer.of(503, "").header("Retry-After", "9999999999"));
    all.put("Retry-After that is a word", StubAnswer.of(503, "").header("Retry-After", "soon"));
    all.put("the key in an error", StubAnswer.of(401, "{\"error\":{\"message\":\"" + KEY + "\"}}"));
    all.put("garbage", StubAnswer.garbage());
    all.put("reset", StubAnswer.reset());
    all.put("silence", StubAnswer.hang());
    all.put("endless", StubAnswer.endless());
    all.put("a slow drip", ModelServer.says("slow").drip(Duration.ofMillis(400)));
    all.put("cut off", ModelServer.says("half").contentLength(99_999));
    bodies()
        .forEach((name, body) -> {
          all.put("whole: " + name, StubAnswer.of(200, body));
          all.put("streamed: " + name, ModelServer.events(body));
        });
    calls().forEach((name, calls) -> all.put("call: " + name, ModelServer.events(ended(calls))));
    return all;
  }

  private static Map<String, String> bodies() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("nothing", "");
    all.put("no JSON", "Hello");
    all.put("half of JSON", "{\"choices\":[{");
    all.put("null", "null");
    all.put("a list", "[]");
    all.put("no choices", "{\"choices\":[]}");
    all.put("choices of null", "{\"choices\":[null]}");
    all.put("a choice of a number", "{\"choices\":[7]}");
    all.put("an error", "{\"error\":{\"message\":\"overloaded\"}}");
    all.put("an error of null", "{\"error\":null}");
    all.put("no delta", "{\"choices\":[{\"index\":0}]}");
    all.put("content of a number", delta("\"content\":7"));
    all.put("content of a list", delta("\"content\":[{\"type\":\"text\",\"text\":\"x\"}]"));
    all.put("half a surrogate pair", delta("\"content\":\"a\\ud83d\""));
    all.put("control characters", delta("\"content\":\"\\u0000\\u001b[31m\""));
    all.put("deep nesting", "{\"choices\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}");
    all.put("duplicate members", "{\"choices\":[],\"choices\":[]}");
    all.put("an unknown end", delta("\"content\":\"x\"").replace("null", "\"whatever\""));
    return all;
  }

  private static String delta(String members) {
    return "{\"choices\":[{\"index\":0,\"delta\":{%1$s},\"message\":{%1$s},\"finish_reason\":null}]}"
        .formatted(members);
  }

  private static String ended(String members) {
    return delta(members).replace("\"finish_reason\":null", "\"finish_reason\":\"tool_calls\"");
  }

  private static Map<String, String> calls() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("arguments cut off", call(0, "p0", "get_it", "{\\\"n\\\":1,,"));
    all.put("arguments of a list", call(0, "p0", "get_it", "[1]"));
    all.put("arguments of words", call(0, "p0", "get_it", "please"));
    all.put("huge arguments", call(0, "p0", "get_it", "x".repeat(500_000)));
    all.put("an unknown tool", call(0, "p0", "get_that", "{}"));
    all.put("no name", call(0, "p0", "", "{}"));
    all.put("an impossible name", call(0, "p0", "get it; rm", "{}"));
    all.put("no id", call(0, "", "get_it", "{}"));
    all.put("a negative index", call(-1, "p0", "get_it", "{}"));
    all.put("a huge index", call(2_000_000_000, "p0", "get_it", "{}"));
    all.put(
        "the same id twice", call(0, "p0", "get_it", "{}") + "," + call(1, "p0", "get_it", "{}"));
    all.put("a call of null", "null");
    all.put("a call of a number", "7");
    all.put("no function", "{\"index\":0,\"id\":\"p0\"}");
    all.put(
        "two hundred calls",
        IntStream.range(0, 200)
            .mapToObj(i -> call(i, "p" + i, "get_it", "{}"))
            .reduce((left, right) -> left + "," + right)
            .orElseThrow());
    all.replaceAll((name, calls) -> "\"tool_calls\":[" + calls + "]");
    return all;
  }

  private static String call(int index, String id, String name, String arguments) {
    return "{\"index\":%d,\"id\":\"%s\",\"type\":\"function\",\"function\":{\"name\":\"%s\",\"arguments\":\"%s\"}}"
        .formatted(index, id, name, arguments);
  }

  @Test
  void everyTurnComesToRestAndTheNextIsWell() {
    Map<String, StubAnswer> kinds = kinds();
    for (Map.Entry<String, StubAnswer> kind : kinds.entrySet()) {
      misbehaves(kind.getKey(), kind.getValue());
    }
    Load.tell(
        "%d kinds: all turns came to rest, the longest after %.1f s, %d handler runs, all went on",
        kinds.size(), longest, runs.get());
  }

  private void misbehaves(String kind, StubAnswer wrong) {
    AtomicBoolean well = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    try (StubWebhook server =
        ModelServer.start(messages ->
            well.get() || (kind.startsWith("call") && asked.getAndIncrement() > 0)
                ? ModelServer.says("good")
                : wrong)) {
      Conversation talk = agent(server).conversation("c");
      long begin = System.nanoTime();

      Turn turn = talk.say("Go");

      double seconds = Load.since(begin);
      longest = Math.max(longest, seconds);
      assertThat(turn).as(kind).isNotNull();
      assertThat(seconds).as(kind).isLessThan((double) REST.toSeconds());
      assertThat(Stream.of(turn, talk.history()).map(Object::toString))
          .as(kind)
          .noneMatch(text -> text.contains(KEY));
      well.set(true);
      assertThat(talk.say("And now?")).as(kind).isEqualTo(new Turn.Reply("good"));
    }
  }

  private Agent agent(StubWebhook server) {
    ModelOptions options =
        ModelOptions.builder().key(ApiKey.of(KEY)).baseUrl(server.url("/v1")).build();
    return Agent.builder("load")
        .model(OpenAiModel.of("stub", options))
        .limits(AgentLimits.DEFAULT.withModelTimeout(TIMEOUT))
        .tools(
            Tool.dynamic(
                    "get_it",
                    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"additionalProperties\":false}")
                .handler(arguments -> "run " + runs.incrementAndGet()))
        .build();
  }
}
