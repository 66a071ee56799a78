package dev.switchboard.mcp.server;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.handler.Tool;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How many sessions there are, and whose.
class SessionsTest {
  private static final Principal ADA = Principal.of("ada", Role.TOOLS);
  private static final Principal BOB = Principal.of("bob", Role.TOOLS);

  private final List<String> actors = new CopyOnWriteArrayList<>();
  private final ManualTime time = new ManualTime();
  private final Agent agent =
      Agent.builder("shop")
          .tools(Tool.dynamic("hello").handler(arguments -> "hello"))
          .listener(
              new ExecutionListener() {
                @Override
                public void settled(CallRecord call) {
                  actors.add(requireNonNullElse(call.actor(), "none"));
                }
              })
          .build();
  private final MountedMcp mcp = new MountedMcp(agent, time);

  @AfterEach
  void close() {
    mcp.close();
    agent.close();
  }

  private String open(Principal principal) throws Exception {
    return mcp.initialize(principal).headers().get("Mcp-Session-Id");
  }

  private int ping(Principal principal, String session) throws Exception {
    return mcp.inSession(principal, session, "ping", "{}").status();
  }

  private void fill(Principal principal) throws Exception {
    for (int i = 0; i < Bound.MCP_SESSIONS.each(); i++) {
      assertThat(mcp.initialize(principal).status()).isEqualTo(200);
    }
  }

  @Test
  void aPrincipalWithTooManyEndsNoOneElses() throws Exception {
    String adas = open(ADA);
    fill(BOB);

    MountedMcp.Answer refused = mcp.initialize(BOB);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers()).containsKey("Retry-After");
    assertThat(ping(ADA, adas)).isEqualTo(200);
    assertThat(mcp.stateless(BOB, "tools/list", "{}", "").status()).isEqualTo(429);
    assertThat(mcp.stateless(ADA, "tools/list", "{}", "").status()).isEqualTo(200);
  }

  @Test
  void namesOperatorOnlyInItsOwnCalls() throws Exception {
    Principal operator = new Principal("ada", ADA.roles(), "olga");
    String call = "{\"name\":\"hello\",\"arguments\":{}}";
    String adas = open(ADA);
    String olgas = open(operator);

    mcp.stateless(ADA, "tools/call", call, "hello");
    mcp.stateless(operator, "tools/call", call, "hello");
    mcp.stateless(ADA, "tools/call", call, "hello");
    mcp.inSession(operator, olgas, "tools/call", call);
    mcp.inSession(ADA, adas, "tools/call", call);

    assertThat(actors).containsExactly("none", "olga", "none", "olga", "none");
  }

  @Test
  void theOwnOneThatWasIdleLongestMakesRoom() throws Exception {
    String adas = open(ADA);
    String first = open(BOB);
    String second = open(BOB);
    for (int i = 2; i < Bound.MCP_SESSIONS.each(); i++) {
      open(BOB);
    }
    time.advance(Duration.ofSeconds(30));
    assertThat(ping(BOB, first)).isEqualTo(200);
    time.advance(Duration.ofSeconds(31));

    assertThat(mcp.initialize(BOB).status()).isEqualTo(200);
    assertThat(ping(BOB, first)).isEqualTo(200);
    assertThat(ping(BOB, second)).isEqualTo(404);
    assertThat(ping(ADA, adas)).isEqualTo(200);
  }

  @Test
  void whoFindsTheWholeFullWaitsAndEndsNoOthers() throws Exception {
    int principals = Bound.MCP_SESSIONS.all() / Bound.MCP_SESSIONS.each();
    for (int i = 0; i < principals; i++) {
      fill(Principal.of("p" + i, Role.TOOLS));
    }
    time.advance(Duration.ofMinutes(2));
    assertThat(mcp.initialize(ADA).status()).isEqualTo(429);

    time.advance(Duration.ofMinutes(30));
    assertThat(mcp.initialize(ADA).status()).isEqualTo(200);
  }

  @Test
  void principalsOfSimilarNamesHaveConversationsOfTheirOwn() throws Exception {
    for (String name : new String[] {"ann@x", "ann_x", "ann-x", "ann.x"}) {
      assertThat(
              mcp.stateless(
                      Principal.of(name, Role.TOOLS),
                      "tools/call",
                      "{\"name\":\"hello\",\"arguments\":{}}",
                      "hello")
                  .status())
          .isEqualTo(200);
    }
  }
}
