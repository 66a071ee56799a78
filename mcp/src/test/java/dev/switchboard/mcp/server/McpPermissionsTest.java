package dev.switchboard.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.mcp.server.MountedMcp.Answer;
import dev.switchboard.memory.Block;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.testing.ManualTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every request of MCP clients, for principals with each combination of roles.
class McpPermissionsTest {
  private static Agent agent(Set<String> shared) {
    return Agent.builder("shop")
        .tools(Tool.dynamic("hello").handler(arguments -> "hello"))
        .prompt("a secret prompt")
        .blocks(List.of(Block.of("shop", "notes", Block.Kind.CORE).withValue("a secret note")))
        .shareOverMcp(shared)
        .build();
  }

  private static Stream<Set<Role>> combinations() {
    return IntStream.range(0, 1 << Role.values().length)
        .mapToObj(bits -> {
          Set<Role> roles = EnumSet.noneOf(Role.class);
          for (Role role : Role.values()) {
            if ((bits >> role.ordinal() & 1) != 0) {
              roles.add(role);
            }
          }
          return roles;
        });
  }

  private static String params(Method method) {
    return switch (method) {
      case CALL_TOOL -> "{\"name\":\"hello\",\"arguments\":{}}";
      case READ_RESOURCE, SUBSCRIBE, UNSUBSCRIBE -> "{\"uri\":\"memory:///notes\"}";
      case GET_PROMPT -> "{\"name\":\"instructions\"}";
      case LISTEN -> "{\"notifications\":{\"resourceSubscriptions\":[\"memory:///notes\"]}}";
      case INITIALIZE, PING, DISCOVER, LIST_TOOLS, LIST_RESOURCES, LIST_TEMPLATES, LIST_PROMPTS ->
          "{}";
    };
  }

  private static String name(Method method) {
    return switch (method) {
      case CALL_TOOL -> "hello";
      case READ_RESOURCE -> "memory:///notes";
      case GET_PROMPT -> "instructions";
      default -> "";
    };
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void eachRequestNeedsItsPermissionInBothGenerations(Set<Role> roles) throws Exception {
    for (Set<String> shared : Set.of(Set.<String>of(), Set.of("memory"), Set.of("prompt"))) {
      try (Agent agent = agent(shared);
          MountedMcp mcp = new MountedMcp(agent, new ManualTime())) {
        Principal principal = new Principal("ada", roles, null);
        Answer begun = mcp.initialize(principal);
        assertThat(begun.status() == 200).isEqualTo(principal.may(Permission.CALL_TOOLS));
        String session = begun.headers().getOrDefault("Mcp-Session-Id", "none");
        for (Method method : Method.values()) {
          Permission needed =
              method == Method.LISTEN ? Method.SUBSCRIBE.needed(shared) : method.needed(shared);
          boolean allowed = principal.may(Permission.CALL_TOOLS) && principal.may(needed);
          Answer stateless = mcp.stateless(principal, method.word(), params(method), name(method));
          if (!method.isOfSessions()) {
            assertThat(stateless.status() != 403).as(method + ": " + roles).isEqualTo(allowed);
          }
          if (method != Method.INITIALIZE) {
            Answer stateful = mcp.inSession(principal, session, method.word(), params(method));
            boolean known = method != Method.LISTEN;
            assertThat(stateful.status() != 403)
                .as(method + " in a session: " + roles)
                .isEqualTo(known ? allowed : principal.may(Permission.CALL_TOOLS));
            if (!allowed) {
              assertThat(stateful.body() + stateless.body()).doesNotContain("a secret");
            }
          }
        }
        for (String verb : new String[] {"GET", "DELETE"}) {
          assertThat(mcp.send(verb, principal, "").status() == 403)
              .isNotEqualTo(principal.may(Permission.CALL_TOOLS));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"TOOLS, false", "OPERATE, true"})
  void whatMayBeUsedIsAnnounced(Role role, boolean all) throws Exception {
    try (Agent agent = agent(Set.of());
        MountedMcp mcp = new MountedMcp(agent, new ManualTime())) {
      Principal principal = Principal.of("ada", role);
      for (Answer answer :
          new Answer[] {
            mcp.initialize(principal), mcp.stateless(principal, "server/discover", "{}", "")
          }) {
        assertThat(answer.body().contains("\"resources\"")).isEqualTo(all);
        assertThat(answer.body().contains("\"prompts\"")).isEqualTo(all);
        assertThat(answer.body()).contains("\"tools\"");
      }
    }
  }

  @Test
  void withoutAPrincipalNothingIsAnswered() throws Exception {
    try (Agent agent = agent(Set.of("memory", "prompt"));
        MountedMcp mcp = new MountedMcp(agent, new ManualTime())) {
      assertThat(mcp.initialize(null).status()).isEqualTo(401);
      assertThat(mcp.stateless(null, "tools/list", "{}", "").status()).isEqualTo(401);
      assertThat(mcp.send("GET", null, "").status()).isEqualTo(401);
      assertThat(mcp.send("DELETE", null, "").status()).isEqualTo(401);
    }
  }

  @Test
  void aRefusalNamesTheCommand() throws Exception {
    try (Agent agent = agent(Set.of());
        MountedMcp mcp = new MountedMcp(agent, new ManualTime())) {
      assertThat(mcp.initialize(Principal.of("bob", Role.CHAT)))
          .isEqualTo(
              new Answer(
                  403,
                  Map.of("Content-Type", "application/problem+json"),
                  "{\"type\":\"about:blank\",\"status\":403,\"detail\":\"This needs the role tools"
                      + " or operate, and the token 'bob' has chat: switchboard token roles bob"
                      + " --role chat --role tools\",\"code\":\"forbidden\"}"));
      assertThat(mcp.stateless(Principal.of("bob", Role.TOOLS), "prompts/list", "{}", "").body())
          .contains("switchboard token roles bob --role tools --role operate");
    }
  }
}
