package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.harness.Repository;
import dev.switchboard.model.ModelReply;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Places;
import dev.switchboard.mount.Role;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// All that clients can fill, by the list of its bounds.
class BoundsTest {
  @ParameterizedTest
  @EnumSource(Bound.class)
  void eachIsKeptByCodeAndStandsOnThePage(Bound bound) throws IOException {
    try (Stream<Path> modules = Files.list(Repository.root())) {
      assertThat(
              modules
                  .map(module -> module.resolve("src/main/java"))
                  .filter(Files::isDirectory)
                  .anyMatch(sources -> isUsed(bound, sources)))
          .isTrue();
    }
    assertThat(Files.readString(Repository.file("docs/reference/http.md")))
        .contains("| %s | %s |".formatted(bound.what(), limits(bound)));
  }

  private static String limits(Bound bound) {
    int parts = bound.partsOfHeap();
    return parts == 0
        ? String.format(Locale.ROOT, "%,d | %,d", bound.each(), bound.all())
        : "heap / %d | heap / %d".formatted(2 * parts, parts);
  }

  /// One mechanism counts them, which knows the users of a token.
  @Test
  void noOneElseCountsThem() throws IOException {
    Pattern byHand = Pattern.compile("Bound\\.\\w+\\.each\\(\\)");
    List<String> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Repository.root())) {
      for (Path sources : modules.map(one -> one.resolve("src/main/java")).toList()) {
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
              if (byHand.matcher(Files.readString(file)).find()) {
                found.add(file.getFileName().toString());
              }
            }
          }
        }
      }
    }
    assertThat(found).as("it has one client").containsExactly("StdioServer.java");
  }

  @Test
  void answersOfTheUsersOfATokenEndNoOnesElse() {
    try (TestServer server = new TestServer()) {
      Notices notices = new Notices();
      ServedAgent agent =
          new ServedAgent(
              server.agent,
              notices,
              (served, conversation, event) -> {},
              List.of(),
              ConversationOptions.NONE.hold(),
              new TurnRoom(),
              false);
      notices.addAnswered(answered(agent, "ada", "first"));
      for (int i = 0; i < Bound.ANSWERS.all(); i++) {
        notices.addAnswered(answered(agent, "be/u" + i, "c" + i));
      }
      notices.addAnswered(answered(agent, "bob", "last"));

      assertThat(notices.answered()).hasSize(Bound.ANSWERS.all() / 2 + 2);
      assertThat(notices.answered().getFirst().conversation()).isEqualTo("last");
      assertThat(notices.answered().getLast().conversation()).isEqualTo("first");
      notices.forget("c7");
      notices.addAnswered(answered(agent, "be/more", "more"));
      assertThat(notices.answered().getFirst().conversation()).isEqualTo("more");
    }
  }

  private static Notices.Answered answered(ServedAgent agent, String principal, String id) {
    return new Notices.Answered(agent, id, principal, Instant.EPOCH, "call", null);
  }

  private static boolean isUsed(Bound bound, Path sources) {
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        if (Files.readString(file).matches("(?s).*new Places\\(Bound\\." + bound + "\\b.*")) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Tag("slow")
  @Test
  void turnsOfOnePrincipalLeaveRoomForThoseOfOthers() {
    CountDownLatch end = new CountDownLatch(1);
    List<String> ran = new CopyOnWriteArrayList<>();
    try (TestServer server =
        new TestServer(
            agent ->
                agent.store(new InProcessConversations()).model(slow(end)).time(new ManualTime()),
            settings -> settings.rate(100_000, 100_000),
            TestServer.tool("get_time", ran))) {
      TestServer.Client bob = server.client("bob", Role.CHAT);
      String begins = "{\"text\":\"Hi\"}";
      for (int i = 0; i < Bound.TURNS.each(); i++) {
        assertThat(bob.post("/v1/agents/Desk/conversations", begins).status()).isEqualTo(201);
      }
      TestServer.Answer refused = bob.post("/v1/agents/Desk/conversations", begins);
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text()).contains("limit of 1000 turns under way");
      assertThat(server.zoe.post("/v1/agents/Desk/conversations", begins).status()).isEqualTo(201);
      end.countDown();
    }
  }

  private static ScriptedModel slow(CountDownLatch end) {
    return ScriptedModel.answering(request -> {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return ModelReply.text("done");
    });
  }

  /// A server with room for 4,000 bytes in turns, whose model answers from then on.
  private static TestServer small(CountDownLatch end) {
    return new TestServer(
        agent -> agent.store(new InProcessConversations()).model(slow(end)).time(new ManualTime()),
        settings ->
            settings
                .rate(100_000, 100_000)
                .room(new TurnRoom(new Places(Bound.TURNS), new Places(Bound.MESSAGES, 4_000))),
        TestServer.tool("get_time", new CopyOnWriteArrayList<>()));
  }

  private static final String FULL = "limit of 2000 bytes of messages in turns";

  private static String text(int length) {
    return "{\"text\":\"%s\"}".formatted("x".repeat(length));
  }

  private static String said(String id, int length) {
    return "{\"id\":\"%s\",\"text\":\"%s\"}".formatted(id, "x".repeat(length));
  }

  @Test
  void whatTurnsWereGivenIsBoundedUntilTheyEnd() {
    CountDownLatch end = new CountDownLatch(1);
    try (TestServer server = small(end)) {
      TestServer.Client bob = server.client("bob", Role.CHAT);
      String begin = "/v1/agents/Desk/conversations";
      assertThat(bob.post(begin, said("b1", 1_500)).status()).isEqualTo(201);
      TestServer.Answer refused = bob.post(begin, said("b2", 1_000));
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text()).contains(FULL);
      TestServer.Answer once =
          bob.post(
              "/v1/chat/completions",
              "{\"model\":\"Desk\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
                  .formatted("y".repeat(1_000)));
      assertThat(once.status()).isEqualTo(429);
      assertThat(once.text()).contains(FULL);
      assertThat(server.zoe.post(begin, said("z1", 1_500)).status()).isEqualTo(201);
      end.countDown();
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(bob.post("/v1/conversations/b2/turns", text(1_900)).status())
                  .isEqualTo(202));
    }
  }

  @Test
  void theFilesOfAConversationCountInEachOfItsTurns() {
    CountDownLatch end = new CountDownLatch(0);
    try (TestServer server = small(end)) {
      TestServer.Client bob = server.client("bob", Role.CHAT);
      byte[] png = Arrays.copyOf(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10}, 1_200);
      String file = Base64.getEncoder().encodeToString(png);
      String begins =
          "{\"id\":\"f1\",\"text\":\"Look\",\"files\":[{\"type\":\"image/png\",\"data\":\"%s\"}]}"
              .formatted(file);
      assertThat(bob.post("/v1/agents/Desk/conversations", begins).status()).isEqualTo(201);
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(bob.post("/v1/conversations/f1/turns", text(1_000)))
                  .satisfies(answer -> assertThat(answer.status()).isEqualTo(429))
                  .satisfies(answer -> assertThat(answer.text()).contains(FULL)));
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(bob.post("/v1/conversations/f1/turns", text(700)).status())
                  .isEqualTo(202));
    }
  }

  @Test
  void loginsOfOnePrincipalEndItsOwnAlone() {
    try (TestServer server = new TestServer()) {
      String zoes = login(server, server.zoe);
      String first = login(server, server.yan);
      for (int i = 0; i < Bound.LOGINS.each(); i++) {
        login(server, server.yan);
      }
      assertThat(me(server, first)).isEqualTo(401);
      assertThat(me(server, zoes)).isEqualTo(200);
    }
  }

  private static String login(TestServer server, TestServer.Client client) {
    return server.cookie("{\"token\":\"" + client.token + "\"}");
  }

  private static int me(TestServer server, String cookie) {
    return server
        .stranger
        .send(
            server
                .stranger
                .request("/v1/me")
                .version(HttpClient.Version.HTTP_1_1)
                .header("Cookie", cookie)
                .build())
        .status();
  }
}
