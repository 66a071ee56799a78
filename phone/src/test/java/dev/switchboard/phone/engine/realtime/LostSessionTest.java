package dev.switchboard.phone.engine.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.model.Message;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineEvent.Done;
import dev.switchboard.phone.engine.EngineEvent.Lost;
import dev.switchboard.phone.engine.EngineEvent.Ready;
import dev.switchboard.phone.engine.EngineEvent.Refused;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How sessions are lost, and whether another one would be, too.
class LostSessionTest {
  private final EventCollector events = new EventCollector();
  private @Nullable AutoCloseable open;

  @AfterEach
  void close() throws Exception {
    if (open != null) {
      open.close();
    }
  }

  private OpenedSession open(RealtimeSimulator.Builder builder) {
    OpenedSession call = OpenedSession.of(builder);
    open = call;
    return call;
  }

  private OpenedSession open() {
    return open(RealtimeSimulator.builder().replies(Reply.say("Hello")));
  }

  private Lost lost(RawEngine.Behaviour behaviour) {
    RawEngine server = new RawEngine(behaviour);
    open = server;
    OpenAiRealtime engine = OpenAiRealtime.of("sk-test-key").withBaseUrl(server.url());
    EngineSession unused = engine.open(OpenedSession.setup(), events);
    return events.await(Lost.class);
  }

  private static String error(String type, String code) {
    return "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"code\":%s,\"message\":\"With sk-test-key.\"}}"
        .formatted(type, code.isEmpty() ? "null" : '"' + code + '"');
  }

  @ParameterizedTest
  @CsvSource({
    "invalid_request_error, invalid_api_key",
    "invalid_request_error, account_deactivated",
    "invalid_request_error, billing_hard_limit_reached",
    "insufficient_quota, insufficient_quota",
    "authentication_error, ''",
    "invalid_request_error, beta_api_shape_disabled"
  })
  void errorsOfAccountAndQuotaAreForGood(String type, String code) {
    OpenedSession call = open();
    call.peer().sendRaw(error(type, code));

    Lost lost = call.events.await(Lost.class);
    assertThat(lost.fatal()).isTrue();
    assertThat(lost.code()).isEqualTo(code.isEmpty() ? type : code);
    assertThat(lost.message()).contains("With ***.").doesNotContain("sk-test-key");
  }

  @Test
  void anyOtherErrorKeepsTheSession() {
    OpenedSession call = open();
    call.peer().sendRaw(error("server_error", "x"));

    assertThat(call.events.await(Refused.class)).isEqualTo(new Refused(null, "x", "With ***."));
    call.session.create(OpenedSession.response("r"));
    call.events.await(Done.class);
  }

  @Test
  void anErrorBeforeItIsSetUpIsForGood() {
    Lost lost =
        lost(peer -> {
          peer.upgrade().text("{\"type\":\"session.created\"}").read();
          peer.text(error("invalid_request_error", "string_above_max_length")).drain();
        });

    assertThat(lost.fatal()).isTrue();
    assertThat(lost.code()).isEqualTo("string_above_max_length");
  }

  @Test
  void aQuotaMayEndInAResponse() {
    OpenedSession call =
        open(RealtimeSimulator.builder().replies(Reply.fail("insufficient_quota")));
    call.session.create(OpenedSession.response("r"));

    assertThat(call.events.await(Lost.class).fatal()).isTrue();
    assertThat(call.events.await(Done.class).status()).isEqualTo(EngineEvent.Status.FAILED);
    assertThat(call.events.all().getLast()).isInstanceOf(Lost.class);
  }

  @Test
  void aSessionExpiresAfter60Minutes() {
    OpenedSession call = open();
    call.peer().expire();

    Lost lost = call.events.await(Lost.class);
    assertThat(lost.fatal()).isFalse();
    assertThat(lost.code()).isEqualTo("session_expired");
  }

  @Test
  void olderServersSayThatItExpired() {
    OpenedSession call = open();
    call.peer().sendRaw(error("invalid_request_error", "session_expired"));

    Lost lost = call.events.await(Lost.class);
    assertThat(lost.fatal()).isFalse();
    assertThat(lost.code()).isEqualTo("session_expired");
  }

  @Test
  void aConnectionThatIsCutIsNotForGood() {
    OpenedSession call = open();
    call.peer().drop();

    Lost lost = call.events.await(Lost.class);
    assertThat(lost.fatal()).isFalse();
    assertThat(lost.code()).isIn("connection_lost", "closed");
  }

  @ParameterizedTest
  @CsvSource({
    "1000, '', false",
    "1001, '', false",
    "1011, internal error, false",
    "1012, restart, false",
    "1013, try later, false",
    "4000, invalid_request_error.beta_api_shape_disabled, true",
    "3000, invalid_request_error.invalid_api_key, true"
  })
  void closesTellByTheirReasonWhetherTheyAreForGood(int code, String reason, boolean fatal) {
    OpenedSession call = open();
    call.peer().close(code, reason);

    Lost lost = call.events.await(Lost.class);
    assertThat(lost.fatal()).isEqualTo(fatal);
    assertThat(lost.code()).isEqualTo("closed");
  }

  @Test
  void aCloseForPolicyBeforeItIsSetUpIsForGood() {
    byte[] policy = {0x03, (byte) 0xf0, 'n', 'o'};

    Lost lost = lost(peer -> peer.upgrade().frame(RawEngine.CLOSE, policy).drain());

    assertThat(lost.fatal()).isTrue();
    assertThat(lost.message()).contains("closed the connection (1008 no)");
  }

  @ParameterizedTest
  @CsvSource({
    "200, true",
    "302, true",
    "400, true",
    "401, true",
    "403, true",
    "404, true",
    "408, false",
    "429, false",
    "500, false",
    "503, false"
  })
  void aRefusedUpgradeTellsByItsStatus(int status, boolean fatal) {
    Lost lost =
        lost(peer -> {
          peer.request();
          peer.bytes("HTTP/1.1 " + status + " No\r\nLocation: /\r\nContent-Length: 0\r\n\r\n");
          peer.drain();
        });

    assertThat(lost.code()).isEqualTo("http_" + status);
    assertThat(lost.fatal()).isEqualTo(fatal);
  }

  @Test
  void aWrongKeyIsNamedByNoMessage() {
    try (RealtimeSimulator simulator = RealtimeSimulator.of()) {
      OpenAiRealtime engine = OpenAiRealtime.of("wrong").withBaseUrl(simulator.url());
      EngineSession unused = engine.open(OpenedSession.setup(), events);

      Lost lost = events.await(Lost.class);
      assertThat(lost.code()).isEqualTo("http_401");
      assertThat(lost.message()).endsWith("answered 401; check the key.");
    }
  }

  @Test
  void noOneThereIsNotForGood() {
    RawEngine server = new RawEngine(peer -> {});
    String url = server.url();
    server.close();
    EngineSession unused =
        OpenAiRealtime.of("sk-test-key").withBaseUrl(url).open(OpenedSession.setup(), events);

    Lost lost = events.await(Lost.class);
    assertThat(lost.fatal()).isFalse();
    assertThat(lost.code()).isEqualTo("unreachable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"audio\":{\"input\":{\"format\":{\"type\":\"audio/pcmu\"}}}}",
        "{\"audio\":{\"input\":{\"format\":{\"type\":\"audio/pcm\"}},\"output\":{\"format\":{\"type\":\"audio/pcmu\"}}}}",
        "{\"audio\":{\"input\":{\"format\":\"audio/pcmu\"},\"output\":{\"format\":\"audio/pcmu\"}}}"
      })
  void anotherFormatThanAskedForIsForGood(String session) {
    Lost lost =
        lost(peer -> {
          peer.upgrade().text("{\"type\":\"session.created\"}").read();
          peer.text("{\"type\":\"session.updated\",\"session\":" + session + "}").drain();
        });

    assertThat(lost.fatal()).isTrue();
    assertThat(lost.code()).isEqualTo("wrong_format");
  }

  @Test
  void aServerThatSaysNothingFor30SecondsIsGone() {
    OpenedSession call = open();
    call.peer().stall();
    call.time.advance(Duration.ofMinutes(5)); // nothing was asked
    call.session.create(OpenedSession.response("r"));
    call.received("response.create", 1);
    call.time.awaitSleepers(1);
    call.time.advance(Duration.ofMillis(29_999));
    assertThat(call.events.all()).containsExactly(new Ready());
    call.time.awaitSleepers(1);
    call.time.advance(Duration.ofMillis(1));

    Lost lost = call.events.await(Lost.class);
    assertThat(lost.fatal()).isFalse();
    assertThat(lost.code()).isEqualTo("silent");
  }

  @Test
  void aServerThatAnswersMayBeSilentAfterwards() {
    OpenedSession call = open();
    call.session.create(OpenedSession.response("r"));
    call.events.await(Done.class);
    for (int i = 0; i < 5; i++) {
      call.time.awaitSleepers(1);
      call.time.advance(Duration.ofSeconds(40));
    }
    call.session.add(new Message.Notice("Still there."));
    call.received("conversation.item.create", 1);

    assertThat(call.events.all(Lost.class)).isEmpty();
  }
}
