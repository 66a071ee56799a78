package dev.switchboard.openapi;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.openapi.RequestParameters.Placed;
import dev.switchboard.rest.HttpEndpoint;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.Placeholders;
import dev.switchboard.tool.ToolMode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads one operation.
final class OperationReader {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY");

  private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
  private static final int LONGEST_DESCRIPTION = 500;

  /// Keywords that mark an operation as irreversible.
  private static final List<String> DESTRUCTIVE =
      List.of("x-destructive", "x-openai-isConsequential");

  private final OpenApiDocument document;
  private final Schemas schemas;
  private final OpenApiSettings settings;
  private final OpenApiDocument.Stated operation;

  private final ObjectNode properties = Codec.object();
  private final Set<String> required = new LinkedHashSet<>();
  private final ObjectNode together = Codec.object();
  private final Set<String> uses = new LinkedHashSet<>();
  private final Set<String> taken = new HashSet<>();
  private @Nullable String lost;

  OperationReader(
      OpenApiDocument document,
      Schemas schemas,
      OpenApiSettings settings,
      OpenApiDocument.Stated operation) {
    this.document = document;
    this.schemas = schemas;
    this.settings = settings;
    this.operation = operation;
  }

  /// The tool of that name.
  ///
  /// @throws Unsupported with the reason why there is none
  OpenApiTool tool(String name) throws Unsupported {
    if (!METHODS.contains(operation.method())) {
      throw new Unsupported("is a request of the method " + operation.method());
    }
    schemas.read(1);
    Security security = Security.of(operation, document, settings);
    RequestParameters reader = new RequestParameters(this, operation, settings, security);
    List<Placed> parameters = reader.read();
    HttpEndpoint.Builder endpoint = HttpEndpoint.of(operation.method(), url(parameters, security));
    for (Placed placed : parameters) {
      endpoint.parameter(placed.argument(), placed.name(), placed.style(), placed.explode());
    }
    headers(security).forEach(endpoint::header);
    if (reader.idempotencyHeader() != null) {
      endpoint.idempotencyHeader(reader.idempotencyHeader());
    }
    boolean open = new RequestBody(this, endpoint).read(operation.operation().path("requestBody"));
    Json schema = schema(open);
    return new OpenApiTool(
        operation.name(),
        name,
        NameSanitizer.description(operation, name),
        schema,
        mode(),
        endpoint,
        lost);
  }

  /// Adds an argument under a unique name.
  ///
  /// @param original its name in the document, which is stated to the model if it differs
  void add(String argument, String original, JsonNode schema, String description)
      throws Unsupported {
    JsonNode converted = schema.isMissingNode() ? Codec.object() : schemas.converted(schema, uses);
    if (converted instanceof ObjectNode object) {
      String stated = description.isBlank() ? object.path("description").asString("") : description;
      String known = NameSanitizer.description(stated, LONGEST_DESCRIPTION);
      String text =
          argument.equals(original) ? known : ToolNames.withOriginalName(known, original, "");
      if (!text.isEmpty()) {
        object.put("description", text);
      }
    }
    properties.set(argument, converted);
  }

  /// Says what the tool will not have.
  void lose(String what) {
    lost = what;
  }

  void require(String argument) {
    required.add(argument);
  }

  /// Requires these arguments if one of them all is there.
  void requireTogether(Collection<String> all, Collection<String> some) {
    if (!some.isEmpty()) {
      for (String argument : all) {
        ArrayNode others = together.putArray(argument);
        some.stream().filter(other -> !other.equals(argument)).forEach(others::add);
      }
    }
  }

  /// Whether requests of its method have no body.
  boolean isRead() {
    return operation.method().equals("GET") || operation.method().equals("HEAD");
  }

  Set<String> taken() {
    return taken;
  }

  OpenApiDocument document() {
    return document;
  }

  Schemas schemas() {
    return schemas;
  }

  private String url(List<Placed> parameters, Security security) throws Unsupported {
    Map<String, String> arguments = new HashMap<>();
    parameters.stream()
        .filter(Placed::isInPath)
        .forEach(placed -> arguments.put(placed.name(), placed.argument()));
    String server = ServerUrl.of(operation, document, settings);
    Matcher place = PLACE.matcher(operation.path());
    StringBuilder path = new StringBuilder();
    while (place.find()) {
      String argument = arguments.get(place.group(1));
      if (argument == null) {
        throw new Unsupported(
            "has '" + place.group() + "' in its path, which no parameter describes");
      }
      place.appendReplacement(path, Matcher.quoteReplacement("{" + argument + "}"));
    }
    String whole = place.appendTail(path).toString();
    String literal = PLACE.matcher(operation.path()).replaceAll("");
    if (literal.chars().anyMatch(c -> c < ' ' || c == 0x7f || "{}#\\".indexOf(c) >= 0)) {
      throw new Unsupported("has characters in its path that no URL has");
    }
    whole = NameSanitizer.encoded(whole);
    StringJoiner query =
        new StringJoiner("&", whole.contains("?") ? "&" : "?", "").setEmptyValue("");
    security.query().forEach((name, value) -> query.add(encoded(name) + "=" + encoded(value)));
    return server + whole + query;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Map<String, String> headers(Security security) throws Unsupported {
    Map<String, String> headers = new LinkedHashMap<>();
    String accepted = accepted();
    if (accepted != null && !settings.hasHeader("Accept")) {
      headers.put("Accept", accepted);
    }
    headers.putAll(settings.headers());
    headers.putAll(security.headers());
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (!Placeholders.in(header.getValue()).isEmpty()) {
        throw new Unsupported(
            "has the header '"
                + header.getKey()
                + "' with braces, which would be filled by arguments");
      }
    }
    return headers;
  }

  /// The requested content type of the answer; null if the document states none.
  private @Nullable String accepted() throws Unsupported {
    String first = null;
    for (Map.Entry<String, JsonNode> response :
        operation.operation().path("responses").properties()) {
      if (response.getKey().startsWith("2") || response.getKey().equals("default")) {
        for (String type : document.at(response.getValue()).path("content").propertyNames()) {
          if (RequestBody.isJson(type)) {
            return type;
          }
          first = first == null ? type : first;
        }
      }
    }
    return first;
  }

  private Json schema(boolean open) throws Unsupported {
    ObjectNode schema = Codec.object().put("type", "object");
    schema.set("properties", properties);
    if (!required.isEmpty()) {
      ArrayNode names = schema.putArray("required");
      required.forEach(names::add);
    }
    if (!together.isEmpty()) {
      schema.set("dependentRequired", together);
    }
    if (!open) {
      schema.put("additionalProperties", false);
    }
    return schemas.complete(schema, uses);
  }

  /// The mode; a document may mark an operation as more harmful than its method, not as less.
  private @Nullable ToolMode mode() {
    for (String word : DESTRUCTIVE) {
      if (operation.operation().path(word).asBoolean(false)) {
        return ToolMode.DESTRUCTIVE;
      }
    }
    return null;
  }
}
