package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Needs;
import io.javalin.router.Endpoint;
import io.javalin.security.Roles;
import io.javalin.security.RouteRole;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Every route, as it is installed, for clients with each role and each combination of roles.
class PermissionsTest {
  private static final String CALLS = "/v1/agents/{agent}/tools/{tool}/calls";

  private final List<String> ran = new ArrayList<>();
  private final TestServer server =
      new TestServer(
          agent -> agent.store(new InProcessConversations()), TestServer.tool("get_time", ran));
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    server.close();
  }

  private static List<Set<Role>> combinations() {
    List<Set<Role>> all = new ArrayList<>();
    for (int bits = 1; bits < 1 << Role.values().length; bits++) {
      Set<Role> roles = EnumSet.noneOf(Role.class);
      for (Role role : Role.values()) {
        if ((bits >> role.ordinal() & 1) != 0) {
          roles.add(role);
        }
      }
      all.add(roles);
    }
    return all;
  }

  private List<Endpoint> routes() {
    return server.server.routes().stream().filter(route -> route.method.isHttpMethod()).toList();
  }

  private static Set<RouteRole> stated(Endpoint route) {
    Roles roles = route.metadata(Roles.class);
    return roles == null ? Set.of() : roles.getRoles();
  }

  @Test
  void everyRouteForClientsStatesWhatItNeeds() {
    List<String> silent =
        routes().stream()
            .filter(route -> route.path.matches("/v1/.*|/\\w+/\\{agent}.*"))
            .filter(route -> stated(route).isEmpty())
            .map(route -> route.path)
            .toList();

    assertThat(silent).isEmpty();
    assertThat(routes()).hasSizeGreaterThan(40);
  }

  @Tag("slow")
  @Test
  void aRouteIsForbiddenForThoseWithoutItsRolesAndForNoOthers() throws Exception {
    int i = 0;
    for (Set<Role> roles : combinations()) {
      TestServer.Client client = server.client("p" + i++, roles.toArray(Role[]::new));
      for (Endpoint route : routes()) {
        if (!stated(route).isEmpty()) {
          check(client, route, Needs.stated(stated(route)), roles);
        }
      }
    }
  }

  private void check(TestServer.Client client, Endpoint route, Needs needs, Set<Role> roles)
      throws Exception {
    Set<Role> enough = needs.roles();
    if (route.path.equals(CALLS)) {
      // The others may only undo a call in a conversation of theirs.
      enough = EnumSet.of(Role.TOOLS, Role.OPERATE);
    }
    boolean allowed = enough.isEmpty() || roles.stream().anyMatch(enough::contains);
    int status = status(client, route);
    assertThat(status == 403)
        .as("%s %s with %s: %d", route.method.name(), route.path, roles, status)
        .isNotEqualTo(allowed);
    assertThat(status).isNotEqualTo(401);
  }

  private int status(TestServer.Client client, Endpoint route) throws Exception {
    String path = route.path.replace("{tool}", "get_time").replaceAll("\\{agent}", "Desk");
    HttpResponse<InputStream> answer =
        http.send(
            client
                .request(path.replaceAll("\\{\\w+}", "none"))
                .method(
                    route.method.name(),
                    route.method.name().equals("GET")
                        ? BodyPublishers.noBody()
                        : BodyPublishers.ofString("{}"))
                .build(),
            BodyHandlers.ofInputStream());
    answer.body().close();
    return route.path.equals("/v1/login") ? 400 : answer.statusCode();
  }

  @Test
  void aRefusalNamesTheCommandThatChangesTheRoles() {
    assertThat(server.zoe.post("/v1/agents/Desk/tools/get_time/calls", "{}").text())
        .contains("switchboard token roles zoe --role chat --role tools");
  }

  @Test
  void aRoleGivenLaterCountsWithTheSameToken() {
    assertThat(server.zoe.get("/v1/agents/Desk/blocks").status()).isEqualTo(403);
    server.tokens.setRoles("zoe", Set.of(Role.CHAT, Role.OPERATE));

    assertThat(server.zoe.get("/v1/agents/Desk/blocks").status()).isEqualTo(200);
    assertThat(
            server.zoe.get("/v1/me").json().path("roles").valueStream().map(JsonNode::stringValue))
        .containsExactly("chat", "operate");
  }
}
