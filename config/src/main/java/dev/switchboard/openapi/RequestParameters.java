package dev.switchboard.openapi;

import dev.switchboard.http.HttpRequest;
import dev.switchboard.rest.HttpEndpoint.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads an operation's parameters. The model does not see those that the user or the client sets.
final class RequestParameters {
  /// Headers that a document defines elsewhere; as parameters they are ignored.
  private static final Set<String> NO_PARAMETERS =
      Set.of("accept", "content-type", "authorization");

  private static final int MOST = 500;
  private static final String IDEMPOTENCY = "Idempotency-Key";

  /// A parameter and the name of its argument.
  record Placed(String argument, String name, Style style, boolean explode) {
    boolean isInPath() {
      return style == Style.SIMPLE || style == Style.LABEL || style == Style.MATRIX;
    }
  }

  private final OperationReader operation;
  private final OpenApiDocument.Stated stated;
  private final OpenApiSettings settings;
  private final Security security;
  private @Nullable String idempotencyHeader;

  RequestParameters(
      OperationReader operation,
      OpenApiDocument.Stated stated,
      OpenApiSettings settings,
      Security security) {
    this.operation = operation;
    this.stated = stated;
    this.settings = settings;
    this.security = security;
    idempotencyHeader = settings.idempotencyHeader();
  }

  /// The header that carries a call's idempotency key, null for none; known after reading.
  @Nullable String idempotencyHeader() {
    return idempotencyHeader;
  }

  /// The parameters that are arguments, those of the path first.
  List<Placed> read() throws Unsupported {
    Map<String, JsonNode> all = new LinkedHashMap<>();
    for (JsonNode from : List.of(stated.item(), stated.operation())) {
      if (from.path("parameters").size() > MOST) {
        throw new Unsupported("has more than " + MOST + " parameters");
      }
      for (JsonNode each : from.path("parameters")) {
        JsonNode parameter = operation.document().at(each);
        all.put(
            parameter.path("in").asString("") + " " + parameter.path("name").asString(""),
            parameter);
      }
    }
    List<Placed> placed = new ArrayList<>();
    // Path parameters first: if two parameters have one name, the path parameter keeps it.
    for (boolean ofPath : new boolean[] {true, false}) {
      for (JsonNode parameter : all.values()) {
        if (isOfPath(parameter) == ofPath && isForTheModel(parameter)) {
          placed.add(placed(parameter));
        }
      }
    }
    return placed;
  }

  private static boolean isOfPath(JsonNode parameter) {
    return parameter.path("in").asString("").equals("path");
  }

  private boolean isForTheModel(JsonNode parameter) {
    String name = parameter.path("name").asString("");
    String place = parameter.path("in").asString("");
    if (place.equals("header") && name.equalsIgnoreCase(IDEMPOTENCY)) {
      idempotencyHeader = idempotencyHeader == null ? name : idempotencyHeader;
      return false;
    }
    if (place.equals("path")) {
      return stated.path().contains("{" + name + "}");
    }
    boolean ours =
        place.equals("header")
            && (NO_PARAMETERS.contains(name.toLowerCase(Locale.ROOT))
                || settings.hasHeader(name)
                || isOfTheClient(name));
    return !ours && !security.covers(place, name);
  }

  private static boolean isOfTheClient(String header) {
    try {
      HttpRequest.checkHeader(header, "");
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private Placed placed(JsonNode parameter) throws Unsupported {
    String name = parameter.path("name").asString("");
    String place = parameter.path("in").asString("");
    Map.Entry<String, JsonNode> content =
        parameter.path("content").properties().stream().findFirst().orElse(null);
    Style style =
        content == null ? style(parameter, name, place) : ofContent(content.getKey(), name, place);
    JsonNode schema = (content == null ? parameter : content.getValue()).path("schema");
    String argument = NameSanitizer.argument(name, place, operation.taken());
    operation.add(argument, name, schema, parameter.path("description").asString(""));
    if (isOfPath(parameter) || parameter.path("required").asBoolean(false)) {
      operation.require(argument);
    }
    boolean usual = style == Style.FORM || style == Style.COOKIE;
    return new Placed(argument, name, style, parameter.path("explode").asBoolean(usual));
  }

  private static Style ofContent(String type, String name, String place) throws Unsupported {
    if (place.equals("query") && RequestBody.isJson(type)) {
      return Style.JSON;
    }
    throw new Unsupported("has the parameter '%s' in the %s as %s".formatted(name, place, type));
  }

  private static Style style(JsonNode parameter, String name, String place) throws Unsupported {
    String style = parameter.path("style").asString("");
    return switch (place + " " + style) {
      case "path ", "path simple" -> Style.SIMPLE;
      case "path label" -> Style.LABEL;
      case "path matrix" -> Style.MATRIX;
      case "query ", "query form" -> Style.FORM;
      case "query spaceDelimited" -> Style.SPACE_DELIMITED;
      case "query pipeDelimited" -> Style.PIPE_DELIMITED;
      case "query deepObject" -> Style.DEEP_OBJECT;
      case "header ", "header simple" -> Style.HEADER;
      case "cookie ", "cookie form", "cookie cookie" -> Style.COOKIE;
      default ->
          throw new Unsupported(
              "has the parameter '%s' in '%s' of style '%s', which is not known here"
                  .formatted(name, place, style));
    };
  }
}
