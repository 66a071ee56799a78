package dev.switchboard.openapi;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedTool;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.tool.BlockedUrl;
import dev.switchboard.config.tool.PolicyReader;
import dev.switchboard.handler.Tool;
import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.rest.HttpEndpoint;
import dev.switchboard.text.IoReasons;
import dev.switchboard.time.Time;
import dev.switchboard.toml.TextFile;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads an OpenAPI document whose operations become tools.
final class OpenApiReader {
  private static final Duration LONGEST_FETCH = Duration.ofSeconds(30);
  private static final int MOST_NAMED = 50;

  /// Replaces a credential that is not set; that fault is reported, and causes no others.
  private static final String UNSET = "not-set";

  private final OpenApiKeys stated;
  private final FileTable.Context file;
  private final Tool.Policy noPolicy;

  /// Sentences about keywords that are left to the service.
  private final List<String> unchecked = new ArrayList<>();

  OpenApiReader(OpenApiKeys stated, FileTable.Context file) {
    this.stated = stated;
    this.file = file;
    noPolicy = PolicyReader.none(file);
  }

  /// The tools of its operations. Reports faults, and each operation that does not become a tool.
  List<StatedTool> tools() {
    OpenApiDocument document = document();
    if (document == null) {
      return List.of();
    }
    OpenApiSettings settings = settings();
    checkNames(document, settings);
    Map<String, Tool.Policy> policies = policies();
    Set<String> operations = new LinkedHashSet<>();
    OpenApiTools<StatedTool> all =
        OpenApiTools.of(
            document,
            settings,
            operation -> {
              operations.add(operation.operation());
              return tool(operation, policies);
            });
    for (String name : stated.tools().keySet()) {
      if (!operations.contains(name)) {
        StatedValue entry = stated.at().member("tools").member(name);
        entry.bad("is not an operation that becomes a tool" + entry.closest(name, operations));
      }
    }
    report(all.leftOut(), all.made().isEmpty());
    all.lost().entrySet().stream()
        .limit(MOST_NAMED)
        .forEach(one ->
            stated
                .at()
                .warning(
                    FaultClass.TOOL_SCHEMA,
                    "%s: %s %s".formatted(stated.at().path(), one.getKey(), one.getValue())));
    reportUnchecked();
    return all.made();
  }

  private StatedTool tool(OpenApiTool operation, Map<String, Tool.Policy> policies) {
    HttpEndpoint.Builder endpoint = operation.endpoint().network(file.network());
    if (stated.responseLimit() != null) {
      endpoint.responseLimit(stated.responseLimit());
    }
    HttpEndpoint handler = endpoint.build();
    Tool.DynamicBuilder builder =
        Tool.dynamic(operation.name(), operation.parameters())
            .foreign(unchecked::add)
            .description(operation.description());
    if (stated.timeout() != null) {
      builder.timeout(stated.timeout());
    }
    ToolMode usual = requireNonNullElse(operation.mode(), handler.mode());
    ToolMode mode = ToolMode.infer(operation.name().substring(prefix().length()), usual);
    policies.getOrDefault(operation.operation(), noPolicy).applied(builder, handler, mode);
    return stated(builder.answeredBy(handler));
  }

  private StatedTool stated(Tool tool) {
    return new StatedTool(stated.at(), tool.name(), () -> tool);
  }

  private Map<String, Tool.Policy> policies() {
    Map<String, Tool.Policy> policies = new LinkedHashMap<>();
    stated
        .tools()
        .forEach((operation, table) -> {
          Tool.Policy policy = PolicyReader.read(table, file);
          if (policy != null) {
            policies.put(operation, policy);
          }
        });
    return policies;
  }

  /// Reports the operations that are not tools, as an error if there is no tool at all.
  private void report(Map<String, String> leftOut, boolean all) {
    StatedValue place =
        stated.at().has("url") ? stated.at().member("url") : stated.at().member("file");
    if (all) {
      String first =
          leftOut.entrySet().stream()
              .findFirst()
              .map(one -> "; " + one.getKey() + " " + one.getValue())
              .orElse("");
      place.bad("has no operation that becomes a tool" + first);
      return;
    }
    leftOut.entrySet().stream()
        .limit(MOST_NAMED)
        .forEach(one ->
            place.warning(
                FaultClass.OPERATION_LEFT_OUT,
                "%s: %s is not a tool: it %s"
                    .formatted(stated.at().path(), one.getKey(), one.getValue())));
    if (leftOut.size() > MOST_NAMED) {
      place.warning(
          FaultClass.OPERATION_LEFT_OUT,
          "%s: %d more operations are not tools: switchboard tool import openapi names them"
              .formatted(stated.at().path(), leftOut.size() - MOST_NAMED));
    }
  }

  private void reportUnchecked() {
    unchecked.stream()
        .limit(MOST_NAMED)
        .forEach(sentence -> stated.at().warning(FaultClass.TOOL_SCHEMA, sentence));
    if (unchecked.size() > MOST_NAMED) {
      stated
          .at()
          .warning(
              FaultClass.TOOL_SCHEMA,
              "%s: %d more keywords are not checked"
                  .formatted(stated.at().path(), unchecked.size() - MOST_NAMED));
    }
  }

  private @Nullable OpenApiDocument document() {
    StatedValue file = stated.file();
    StatedValue url = stated.url();
    if ((file == null) == (url == null)) {
      stated.at().bad("needs either 'file' or 'url' of an OpenAPI document");
      return null;
    }
    StatedValue place = file == null ? Objects.requireNonNull(url) : file;
    String name = place.filledText();
    String text = name == null ? null : file == null ? fetched(name, place) : ofFile(name, place);
    try {
      return text == null ? null : OpenApiDocument.read(text);
    } catch (IllegalArgumentException e) {
      place.bad("names '" + name + "', which " + e.getMessage());
      return null;
    }
  }

  private @Nullable String ofFile(String name, StatedValue place) {
    try {
      return TextFile.read(file.folder().resolve(name));
    } catch (TextFile.Unreadable e) {
      place.bad("names '" + name + "', which " + e.reason());
    } catch (InvalidPathException e) {
      place.bad("cannot be the name of a file");
    }
    return null;
  }

  private @Nullable String fetched(String url, StatedValue place) {
    if (BlockedUrl.report(file, url, place, place.path())) {
      return null;
    }
    Time.Alarm[] alarm = new Time.Alarm[1];
    long end = Time.SYSTEM.nanos() + LONGEST_FETCH.toNanos();
    try {
      HttpRequest request = new HttpRequest("GET", url, Map.of(), null, TextFile.MOST_BYTES, false);
      HttpAnswer answer =
          file.network().send(request, cancel -> alarm[0] = Time.SYSTEM.alarm(end, cancel));
      if (answer.successful()) {
        return answer.body();
      }
      place.bad("cannot be fetched: HTTP " + answer.status());
    } catch (UrlGuard.BlockedException e) {
      place.report(
          Severity.ERROR, FaultClass.URL_BLOCKED, place.path() + " is blocked: " + e.reason());
    } catch (IOException e) {
      place.bad("cannot be fetched: " + IoReasons.ofNetwork(e));
    } finally {
      if (alarm[0] != null) {
        alarm[0].cancel();
      }
    }
    return null;
  }

  private String prefix() {
    String prefix = stated.prefix();
    return prefix == null ? "" : prefix + "__";
  }

  private OpenApiSettings settings() {
    StatedValue header = stated.idempotencyHeader();
    return new OpenApiSettings(
        texts(stated.include()),
        texts(stated.exclude()),
        texts(stated.tags()),
        prefix(),
        baseUrl(),
        stated.url() == null ? null : stated.url().text(),
        filled(stated.variables()),
        filled(stated.auth()),
        filled(stated.headers()),
        header == null ? null : header.filledText());
  }

  private @Nullable String baseUrl() {
    StatedValue value = stated.baseUrl();
    String url = value == null ? null : value.filledText();
    if (value != null && url != null) {
      boolean unused = BlockedUrl.report(file, url, value, value.path());
    }
    return url;
  }

  private static List<String> texts(List<StatedValue> values) {
    return values.stream().map(StatedValue::filledText).filter(Objects::nonNull).toList();
  }

  private Map<String, String> filled(Map<String, StatedValue> table) {
    Map<String, String> filled = new LinkedHashMap<>();
    table.forEach((name, value) -> filled.put(name, requireNonNullElse(file.filled(value), UNSET)));
    return filled;
  }

  /// Reports names of operations, tags and schemes that the document does not have.
  private void checkNames(OpenApiDocument document, OpenApiSettings settings) {
    check(stated.include(), document::has, "matches no operation", document.names());
    check(stated.exclude(), document::has, "matches no operation", document.names());
    check(stated.tags(), document::isTagged, "is not the tag of an operation", List.of());
    for (String scheme : settings.auth().keySet()) {
      if (!document.schemes().contains(scheme)) {
        StatedValue entry = stated.at().member("auth").member(scheme);
        entry.bad(
            "is not a security scheme of the document" + entry.closest(scheme, document.schemes()));
      }
    }
  }

  private static void check(
      List<StatedValue> values, Predicate<String> known, String otherwise, List<String> names) {
    for (StatedValue value : values) {
      String text = value.filledText();
      if (text != null && !known.test(text)) {
        value.bad("'" + text + "' " + otherwise + value.closest(text, names));
      }
    }
  }
}
