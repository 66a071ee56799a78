package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Places;
import dev.switchboard.mount.Role;
import dev.switchboard.store.InProcessConversations;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// All that clients can fill, by the list of its bounds.
class BoundsTest {
  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return here.endsWith("server") ? here.getParent() : here;
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void eachIsKeptByCodeAndStandsOnThePage(Bound bound) throws IOException {
    try (Stream<Path> modules = Files.list(root())) {
      assertThat(
              modules
                  .map(module -> module.resolve("src/main/java"))
                  .filter(Files::isDirectory)
                  .anyMatch(sources -> isUsed(bound, sources)))
          .isTrue();
    }
    assertThat(Files.readString(root().resolve("docs/reference/http.md")))
        .contains(
            String.format(
                Locale.ROOT, "| %s | %,d | %,d |", bound.what(), bound.each(), bound.all()));
  }

  /// One mechanism counts them, which knows the users of a token.
  @Test
  void noOneElseCountsThem() throws IOException {
    Pattern byHand = Pattern.compile("Bound\\.\\w+\\.each\\(\\)");
    List<String> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root())) {
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
              new Places(Bound.TURNS),
              false);
      notices.keep(answered(agent, "ada", "first"));
      for (int i = 0; i < Bound.ANSWERS.all(); i++) {
        notices.keep(answered(agent, "be/u" + i, "c" + i));
      }
      notices.keep(answered(agent, "bob", "last"));

      assertThat(notices.answered()).hasSize(Bound.ANSWERS.all() / 2 + 2);
      assertThat(notices.answered().getFirst().conversation()).isEqualTo("last");
      assertThat(notices.answered().getLast().conversation()).isEqualTo("first");
      notices.forget("c7");
      notices.keep(answered(agent, "be/more", "more"));
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

  @Test
  void turnsOfOnePrincipalLeaveRoomForThoseOfOthers() {
    CountDownLatch end = new CountDownLatch(1);
    List<String> ran = new CopyOnWriteArrayList<>();
    ScriptedModel slow =
        ScriptedModel.answering(request -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return dev.switchboard.model.ModelReply.text("done");
        });
    try (TestServer server =
        new TestServer(
            agent -> agent.store(new InProcessConversations()).model(slow).time(new ManualTime()),
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
