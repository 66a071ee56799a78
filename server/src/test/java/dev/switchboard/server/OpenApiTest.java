package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.mount.Role;
import dev.switchboard.server.Description.Operation;
import dev.switchboard.server.access.Needs;
import io.javalin.router.Endpoint;
import io.javalin.security.Roles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Holds `openapi.json` to the routes that there are, to its own standard, and to what is answered.
class OpenApiTest {
  private static final Description DESCRIPTION = Description.read();
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
  private static final Pattern CODE =
      Pattern.compile("(?:Problem\\s*\\.of|\\bof|tooLarge)\\(\\s*(?:\\d+|status),\\s*\"(\\w+)\"");

  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void describesTheRoutesThatThereAre() {
    Predicate<Endpoint> isPage =
        route ->
            ConsoleRoutes.PAGES.contains(route.path) || route.path.equals(ConsoleRoutes.ASSETS);
    Set<String> routes = new TreeSet<>();
    server.server.routes().stream()
        .filter(route -> route.method.isHttpMethod() && !isPage.test(route))
        .forEach(route -> routes.add(route.method.name() + " " + route.path));

    assertThat(DESCRIPTION.operations().stream().map(Operation::name))
        .containsExactlyInAnyOrderElementsOf(routes);
  }

  @Test
  void namesTheParametersOfEachPath() {
    for (Operation operation : DESCRIPTION.operations()) {
      List<String> inPath =
          PARAMETER.matcher(operation.path()).results().map(found -> found.group(1)).toList();
      assertThat(
              DESCRIPTION.parameters(operation).stream()
                  .filter(one -> one.path("in").asString("").equals("path"))
                  .map(one -> one.path("name").asString("")))
          .as(operation.name())
          .containsExactlyElementsOf(inPath);
    }
  }

  @Test
  void isOpenApi() {
    JsonNode root = DESCRIPTION.root();
    assertThat(root.propertyNames())
        .containsExactlyInAnyOrder("openapi", "info", "security", "tags", "paths", "components");
    assertThat(root.path("openapi").asString("")).startsWith("3.1.");
    assertThat(root.path("info").propertyNames()).contains("title", "version");
    Set<String> tags = new TreeSet<>();
    root.path("tags").forEach(tag -> tags.add(tag.path("name").asString("")));
    Set<String> ids = new TreeSet<>();
    for (Operation operation : DESCRIPTION.operations()) {
      String place = operation.name();
      assertThat(operation.json().propertyNames())
          .as(place)
          .contains("tags", "operationId", "summary", "responses", "x-roles")
          .isSubsetOf(
              "tags",
              "operationId",
              "summary",
              "description",
              "x-roles",
              "security",
              "parameters",
              "requestBody",
              "responses");
      assertThat(ids.add(operation.text("operationId"))).as(place).isTrue();
      assertThat(tags).as(place).contains(operation.json().at("/tags/0").asString(""));
      operation
          .json()
          .path("responses")
          .forEachEntry((status, response) -> {
            assertThat(status).as(place).matches("[2-5][0-9]{2}|default");
            JsonNode known = DESCRIPTION.resolved(response);
            assertThat(known.path("description").asString("")).as(place + status).isNotEmpty();
          });
      DESCRIPTION.parameters(operation).forEach(one -> checkParameter(place, one));
    }
  }

  private static void checkParameter(String place, JsonNode parameter) {
    String in = parameter.path("in").asString("");
    assertThat(Set.of("path", "query", "header")).as(place).contains(in);
    assertThat(parameter.propertyNames())
        .as(place)
        .contains("name", "in", "description", "schema")
        .isSubsetOf("name", "in", "description", "schema", "required");
    assertThat(parameter.path("required").asBoolean(false) || !in.equals("path")).isTrue();
  }

  @Test
  void refersToWhatIsThereAndKeepsNothingElse() {
    Set<String> used = new TreeSet<>();
    collect(DESCRIPTION.root(), used);
    // What a stream carries is no schema of a response.
    used.add("#/components/schemas/Notice");
    Set<String> known = new TreeSet<>();
    DESCRIPTION
        .root()
        .path("components")
        .forEachEntry((kind, all) -> {
          if (!kind.equals("securitySchemes")) {
            all.propertyNames().forEach(name -> known.add("#/components/" + kind + "/" + name));
          }
        });
    assertThat(used).isEqualTo(known);
  }

  private static void collect(JsonNode node, Set<String> references) {
    if (node.isObject() && node.path("$ref").isString()) {
      references.add(node.path("$ref").stringValue());
    }
    node.forEach(inner -> collect(inner, references));
  }

  @Test
  void hasSchemasThatAreSchemas() {
    List<JsonNode> schemas = new ArrayList<>();
    schemas(DESCRIPTION.root(), schemas);
    DESCRIPTION.root().at("/components/schemas").forEach(schemas::add);
    assertThat(schemas).hasSizeGreaterThan(50);
    for (JsonNode schema : schemas) {
      assertThat(Description.faultsOfSchema(schema)).as(schema.toString()).isEmpty();
    }
  }

  private static void schemas(JsonNode node, List<JsonNode> all) {
    node.forEachEntry((name, inner) -> {
      if (name.equals("schema") && inner.isObject()) {
        all.add(inner);
      } else {
        schemas(inner, all);
      }
    });
    if (node.isArray()) {
      node.forEach(inner -> schemas(inner, all));
    }
  }

  @Test
  void listsTheCodesOfAllProblems() throws IOException {
    Set<String> made = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Repository.file("server/src/main/java"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        Matcher codes = CODE.matcher(Files.readString(file));
        codes.results().forEach(found -> made.add(found.group(1)));
      }
    }
    // Only on OpenAI's paths, whose errors are of another form.
    made.remove("model_not_found");
    Set<String> described = new TreeSet<>();
    DESCRIPTION
        .root()
        .at("/components/schemas/Problem/properties/code/enum")
        .forEach(code -> described.add(code.stringValue()));
    assertThat(described).isEqualTo(made);
  }

  @Test
  void namesTheRolesThatMayUseEachRoute() {
    Map<String, List<String>> stated = new TreeMap<>();
    for (Endpoint route : server.server.routes()) {
      Roles roles = route.metadata(Roles.class);
      if (route.method.isHttpMethod() && roles != null && !roles.getRoles().isEmpty()) {
        stated.put(
            route.method.name() + " " + route.path,
            Needs.stated(roles.getRoles()).roles().stream().map(Role::word).toList());
      }
    }
    for (Operation operation : DESCRIPTION.operations()) {
      assertThat(operation.json().path("x-roles").valueStream().map(JsonNode::stringValue).toList())
          .as(operation.name())
          .isEqualTo(stated.getOrDefault(operation.name(), List.of()));
    }
  }
}
