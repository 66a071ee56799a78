package dev.switchboard.openapi;

import dev.switchboard.json.Json;
import dev.switchboard.rest.HttpEndpoint;
import dev.switchboard.rest.HttpEndpoint.Style;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads an operation's body: the members of a plain object become arguments beside the parameters;
/// any other body is one argument.
final class RequestBody {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String BODY = "body";

  private final OperationReader operation;
  private final HttpEndpoint.Builder endpoint;

  RequestBody(OperationReader operation, HttpEndpoint.Builder endpoint) {
    this.operation = operation;
    this.endpoint = endpoint;
  }

  /// Whether that content type is JSON.
  static boolean isJson(String type) {
    String plain = plain(type);
    return plain.endsWith("/json") || plain.endsWith("+json") || plain.equals("*/*");
  }

  private static String plain(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /// Reads it; returns whether it allows members that it does not define.
  boolean read(JsonNode stated) throws Unsupported {
    JsonNode body = operation.document().at(stated);
    JsonNode content = body.path("content");
    boolean needed = body.path("required").asBoolean(false);
    if (content.isEmpty() || operation.isRead() && !needed) {
      if (!content.isEmpty()) {
        operation.lose("may have a body, which a request to read does not send");
      }
      endpoint.noBody();
      return false;
    }
    if (operation.isRead()) {
      throw new Unsupported("is a request to read that needs a body, which is not sent");
    }
    String type = best(content);
    JsonNode media = operation.document().at(content.path(type));
    BodyMembers members =
        BodyMembers.of(media.path("schema"), operation.document(), operation.schemas());
    if (plain(type).equals(FORM)) {
      return form(members, media.path("encoding"), needed);
    }
    if (!needed) {
      endpoint.mayHaveNoBody();
    }
    String description = body.path("description").asString("");
    if (isJson(type)) {
      contentType(plain(type).equals("*/*") ? "application/json" : type);
      boolean whole = operation.schemas().isExtended(media.path("schema"));
      return json(whole ? null : members, media.path("schema"), !needed, description);
    }
    contentType(type);
    String argument = whole(media.path("schema"), !needed, description);
    endpoint.textBody(argument);
    return false;
  }

  /// The best supported of several types.
  private static String best(JsonNode content) throws Unsupported {
    return content.propertyNames().stream()
        .filter(type -> rank(type) < Integer.MAX_VALUE)
        .min(Comparator.comparingInt(RequestBody::rank))
        .orElseThrow(() ->
            new Unsupported(
                "has a body of "
                    + String.join(", ", content.propertyNames())
                    + ": JSON, forms and texts can be sent"));
  }

  private static int rank(String type) {
    String plain = plain(type);
    if (plain.equals("application/json")) {
      return 0;
    }
    if (isJson(type)) {
      return plain.equals("*/*") ? 4 : 1;
    }
    return plain.equals(FORM) ? 2 : plain.startsWith("text/") ? 3 : Integer.MAX_VALUE;
  }

  private void contentType(String type) {
    if (!type.equals("application/json")) {
      endpoint.header("Content-Type", type);
    }
  }

  private boolean json(
      @Nullable BodyMembers members, JsonNode schema, boolean optional, String description)
      throws Unsupported {
    boolean beside =
        members != null
            && members.schemas().keySet().stream()
                .allMatch(
                    name -> NameSanitizer.isArgument(name) && !operation.taken().contains(name));
    if (members != null && beside) {
      for (Map.Entry<String, JsonNode> member : members.schemas().entrySet()) {
        operation.add(member.getKey(), member.getKey(), member.getValue(), "");
      }
      if (optional) {
        operation.requireTogether(members.schemas().keySet(), members.required());
      } else {
        members.required().forEach(operation::require);
      }
      endpoint.jsonBody();
      return members.open();
    }
    String argument = whole(schema, optional, description);
    endpoint.body(Json.of("{" + argument + "}"));
    return false;
  }

  /// Adds the body as one argument; returns its name.
  private String whole(JsonNode schema, boolean optional, String description) throws Unsupported {
    String argument = NameSanitizer.argument(BODY, "of_request", operation.taken());
    operation.add(argument, argument, schema, description);
    if (!optional) {
      operation.require(argument);
    }
    return argument;
  }

  private boolean form(@Nullable BodyMembers members, JsonNode encoding, boolean needed)
      throws Unsupported {
    if (members == null) {
      throw new Unsupported("has a form whose fields are not the members of a plain object");
    }
    endpoint.form().mayHaveNoBody();
    Map<String, String> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : members.schemas().entrySet()) {
      String name = member.getKey();
      String argument = NameSanitizer.argument(name, "field", operation.taken());
      operation.add(argument, name, member.getValue(), "");
      fields.put(name, argument);
      if (needed && members.required().contains(name)) {
        operation.require(argument);
      }
      Style style = style(encoding.path(name), member.getValue());
      if (!argument.equals(name) || encoding.path(name).has("style")) {
        boolean explode = encoding.path(name).path("explode").asBoolean(style == Style.FORM);
        endpoint.field(argument, name, style, explode);
      }
    }
    if (!needed) {
      operation.requireTogether(
          fields.values(), members.required().stream().map(fields::get).toList());
    }
    return members.open();
  }

  private static Style style(JsonNode encoding, JsonNode schema) throws Unsupported {
    return switch (encoding.path("style").asString("")) {
      case "" -> schema.path("type").asString("").equals("object") ? Style.JSON : Style.FORM;
      case "form" -> Style.FORM;
      case "spaceDelimited" -> Style.SPACE_DELIMITED;
      case "pipeDelimited" -> Style.PIPE_DELIMITED;
      case "deepObject" -> Style.DEEP_OBJECT;
      default -> throw new Unsupported("has a form in a style that is not known here");
    };
  }
}
