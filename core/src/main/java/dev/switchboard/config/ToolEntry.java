package dev.switchboard.config;

import dev.switchboard.schema.ToolNames;
import dev.switchboard.webhook.UrlGuard;
import org.jspecify.annotations.Nullable;

/// One definition of a list of tools: what every tool must have.
final class ToolEntry {
  private static final String IN_A_FILE =
      " requires either 'webhook_url' or 'handler'; a tool made in Java has no entry here, only its"
          + " name in agent.tools";

  private final Section section;
  private final Surroundings around;
  private final @Nullable String name;
  private @Nullable Parameters parameters;

  ToolEntry(Section section, Surroundings around) {
    this.section = section;
    this.around = around;
    name = named() ? section.text("name") : null;
  }

  private boolean named() {
    Value value = section.value("name");
    return value != null && !(value.node().isString() && value.node().stringValue().isBlank());
  }

  /// The name, null where there is none that can be read.
  @Nullable String name() {
    return name;
  }

  /// As sentences call it, also without a name.
  private String title() {
    return name == null ? label() : name;
  }

  private String label() {
    return section.place().path();
  }

  private Place place(String key) {
    return section.has(key) ? section.place().member(key) : section.place();
  }

  void checkName() {
    if (!named()) {
      place("name").error(FaultClass.TOOL_DEFINITION, label() + " requires a 'name'");
    }
  }

  void checkAnswer() {
    boolean webhook = section.has("webhook_url") && !"".equals(section.text("webhook_url"));
    boolean handler = section.has("handler");
    if (webhook && handler) {
      definition("handler", " has both 'webhook_url' and 'handler'");
    } else if (!webhook && !handler) {
      definition(
          "webhook_url",
          around.handlers() ? " requires either 'webhook_url' or 'handler'" : IN_A_FILE);
    } else if (handler && !around.handlers()) {
      definition("handler", " has a 'handler', which a file cannot hold; register it in Java");
    }
  }

  private void definition(String key, String sentence) {
    place(key).error(FaultClass.TOOL_DEFINITION, label() + sentence);
  }

  void defineTwice() {
    place("name").error(FaultClass.DUPLICATE_TOOL, "tool '" + name + "' is defined twice");
  }

  void checkWord() {
    String fault = name == null ? null : ToolNames.fault(name);
    if (name != null && fault != null) {
      boolean reserved = ToolNames.RESERVED.contains(name);
      place("name").error(reserved ? FaultClass.RESERVED_NAME : FaultClass.TOOL_DEFINITION, fault);
    }
  }

  void checkSchema() {
    parameters = Parameters.read(section, around.folder());
    if (parameters != null) {
      parameters.check(title(), section.flag("strict"));
    }
  }

  /// The tool to be made, or null where it has no name; its further keys are read in any case.
  @Nullable PlannedTool plan() {
    checkUrl();
    return new ToolKeys(section, around).plan(name, parameters);
  }

  private void checkUrl() {
    String url = section.text("webhook_url");
    if (url != null && holdsVariable(url)) {
      place("webhook_url")
          .error(
              FaultClass.BAD_VALUE,
              label() + ".webhook_url holds '${': variables are filled in only in headers");
    } else if (url != null
        && !url.isEmpty()
        && around.guard().check(url) instanceof UrlGuard.Verdict.Blocked blocked) {
      place("webhook_url")
          .error(
              FaultClass.URL_BLOCKED,
              "tool '%s': webhook_url is blocked: %s; %s"
                  .formatted(title(), blocked.reason(), around.trust(url, blocked)));
    }
  }

  /// Whether the URL is written as if an environment variable were filled in.
  static boolean holdsVariable(String url) {
    return url.contains("${");
  }
}
