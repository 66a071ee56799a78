package dev.switchboard.config.tool;

import static java.util.Objects.requireNonNull;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedTool;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads a tool definition of a file: its faults, and the tool made from it.
final class ToolReader {
  private static final List<String> OF_WEBHOOK = List.of("headers", "secret_env");
  private static final List<String> OF_COMMAND = List.of("stdin", "cwd", "env");
  private static final List<String> OWN =
      Stream.concat(
              Stream.of("http", "command"),
              Arrays.stream(ToolTables.Owned.values()).map(ToolTables.Owned::word))
          .toList();

  private final ToolKeys tool;
  private final StatedValue at;
  private final @Nullable String name;
  private final FileTable.Context file;
  private final ToolTables tables;

  private @Nullable Parameters parameters;
  private Map<String, String> headers = Map.of();
  private @Nullable Secret secret;
  private @Nullable ToolHandler handler; // of a tool without a webhook
  private @Nullable Reassurance reassurance;
  private List<Json> examples = List.of();

  /// @param tables that other modules read
  ToolReader(ToolKeys tool, FileTable.Context file, ToolTables tables) {
    this.tool = tool;
    this.at = tool.at();
    this.name = tool.name() == null || tool.name().isBlank() ? null : tool.name();
    this.file = file;
    this.tables = tables;
  }

  /// The tool; reports all its faults.
  StatedTool read() {
    check();
    return new StatedTool(place("name"), name, this::made);
  }

  private void check() {
    checkName();
    checkAnswer();
    parameters = Parameters.read(tool, file);
    if (parameters != null) {
      parameters.check(title(), tool.strict(), isForeign());
    }
    if (tool.webhookUrl() != null) {
      checkUrl(tool.webhookUrl());
    }
    Json schema = parameters == null ? null : parameters.json();
    if (tool.confirm() != null) {
      Parameters.checkPlaceholders(at.member("confirm"), tool.confirm(), schema);
    }
    handler = handler(schema);
    headers = new Headers(file).ofWebhook(tool.headers());
    secret = tool.secretEnv() == null ? null : secret(tool.secretEnv());
    reassurance = PolicyReader.reassurance(tool.reassurance());
    examples =
        tool.examples().stream()
            .map(example -> example.table("a table of arguments, or its JSON text"))
            .filter(Objects::nonNull)
            .toList();
    PolicyReader.warnOfSmallResult(tool);
    DeliveryReader.check(tool);
  }

  private @Nullable ToolHandler handler(@Nullable Json schema) {
    if (at.has("command")) {
      return new CommandReader(tool, file).read(schema);
    }
    if (tool.http() != null) {
      return new HttpReader(tool.http(), tool, file).read(schema);
    }
    return tables.read(tool);
  }

  /// The tool's name in sentences, even without a valid name.
  private String title() {
    return name == null ? at.path() : name;
  }

  /// Whether others made its schema.
  private boolean isForeign() {
    return tool.imported() && !tool.strict();
  }

  private StatedValue place(String key) {
    return at.has(key) ? at.member(key) : at;
  }

  private void checkName() {
    if (name == null && (tool.name() != null || !at.has("name"))) {
      definition("name", " requires a 'name'");
    }
    String fault = name == null ? null : ToolNames.fault(name);
    if (fault != null) {
      boolean reserved = name != null && ToolNames.isReserved(name);
      place("name")
          .report(
              Severity.ERROR,
              reserved ? FaultClass.RESERVED_NAME : FaultClass.TOOL_DEFINITION,
              fault);
    }
  }

  private void checkAnswer() {
    boolean webhook = at.has("webhook_url") && !"".equals(tool.webhookUrl());
    List<String> own = OWN.stream().filter(at::has).toList();
    if (webhook && tool.handler() != null) {
      definition("handler", " has both 'webhook_url' and 'handler'");
    } else if (webhook && !own.isEmpty()) {
      definition(own.getFirst(), " has both 'webhook_url' and '" + own.getFirst() + "'");
    } else if (own.size() > 1) {
      definition(own.getLast(), " has both '" + own.getFirst() + "' and '" + own.getLast() + "'");
    } else if (tool.handler() != null) {
      definition("handler", " has a 'handler', which a file cannot hold; register it in Java");
    } else if (!webhook && own.isEmpty()) {
      definition(
          "webhook_url",
          " requires either 'webhook_url' or 'handler'; a tool made in Java has no entry here, only"
              + " its name in agent.tools; '"
              + String.join("', '", OWN.subList(0, OWN.size() - 1))
              + "' and '"
              + OWN.getLast()
              + "' answer too");
    }
    checkStrangers(webhook, own);
  }

  /// Reports keys that only apply to other kinds of tools.
  private void checkStrangers(boolean webhook, List<String> own) {
    if (!webhook && !own.isEmpty()) {
      OF_WEBHOOK.stream().filter(at::has).forEach(key -> at.member(key).bad("is for a webhook"));
    }
    if (!own.contains("command")) {
      for (String key : OF_COMMAND.stream().filter(at::has).toList()) {
        boolean secret = key.equals("env") && webhook;
        at.member(key)
            .bad(
                "is for a command"
                    + (secret ? "; a webhook's secret is named by 'secret_env'" : ""));
      }
    }
  }

  private void definition(String key, String sentence) {
    place(key).report(Severity.ERROR, FaultClass.TOOL_DEFINITION, at.path() + sentence);
  }

  private @Nullable Secret secret(String variable) {
    StatedValue value = at.member("secret_env");
    String text = file.variable(value, variable);
    try {
      return text == null ? null : Secret.of(text);
    } catch (IllegalArgumentException e) {
      value.bad("names '" + variable + "': " + e.getMessage());
      return null;
    }
  }

  private void checkUrl(String url) {
    StatedValue value = at.member("webhook_url");
    if (url.contains("${")) {
      value.bad("holds '${': variables are filled in only in headers");
      return;
    }
    String title = "tool '" + title() + "': webhook_url";
    if (!url.isEmpty() && BlockedUrl.report(file, url, value, title)) {
      return;
    }
    try {
      new URI(url);
    } catch (URISyntaxException e) {
      value.bad("is not a URL (" + e.getReason() + ")");
    }
  }

  /// The tool, if no fault was reported.
  private Tool made() {
    String made = requireNonNull(name);
    Tool.DynamicBuilder builder = Tool.dynamic(made, requireNonNull(parameters).json());
    ToolMode usual = handler == null ? null : handler.mode();
    PolicyReader policy = new PolicyReader(tool, reassurance, file);
    policy.apply(builder, handler, ToolMode.infer(made, usual));
    given(tool.description(), builder::description);
    given(tool.responseLimit(), bytes -> builder.responseLimit(bytes));
    given(tool.strict() ? tool : null, strict -> builder.strict());
    given(isForeign() ? tool : null, foreign -> builder.foreign(told -> {})); // told by the check
    examples.forEach(example -> builder.example(example.text()));
    if (handler != null) {
      return builder.answeredBy(handler);
    }
    headers.forEach(builder::header);
    builder.network(file.network());
    URI url = URI.create(requireNonNull(tool.webhookUrl()));
    return secret == null ? builder.webhook(url) : builder.webhook(url, secret);
  }

  private static <T> void given(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }
}
