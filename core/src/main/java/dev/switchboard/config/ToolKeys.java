package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The reading of a tool's optional keys.
final class ToolKeys {
  /// A result limit below this leaves the model hardly a sentence.
  private static final int SMALL_RESULT = 100;

  private static final List<String> MODES =
      Arrays.stream(ToolMode.values()).map(ToolMode::word).toList();
  private static final List<String> INTERRUPTS = List.of("finish", "cancel");

  private final Section section;
  private final Surroundings around;

  ToolKeys(Section section, Surroundings around) {
    this.section = section;
    this.around = around;
  }

  /// The tool to be made, or null where it has no name.
  @Nullable PlannedTool plan(@Nullable String name, @Nullable Parameters parameters) {
    Json schema = parameters == null ? Json.EMPTY_OBJECT : parameters.json();
    Tool.DynamicBuilder builder = Tool.dynamic(name == null ? "" : name, schema);
    words(builder);
    running(builder, name == null ? "" : name);
    limits(builder);
    examples(builder);
    Headers headers = new Headers(around);
    Map<String, String> filled = headers.read(section.value("headers"));
    Secret secret = secret(headers);
    Integer responseLimit = section.whole("response_limit", 1, Integer.MAX_VALUE);
    URI url = url();
    return name == null
        ? null
        : new PlannedTool(name, section.place(), builder, url, filled, secret, responseLimit);
  }

  private void words(Tool.DynamicBuilder builder) {
    given(section.text("description"), builder::description);
    given(section.filledText("usage_rule"), builder::usageRule);
    if (section.flag("strict")) {
      builder.strict();
    }
    if (section.flag("repair")) {
      builder.repair();
    }
  }

  private void running(Tool.DynamicBuilder builder, String name) {
    String word = section.word("mode", MODES);
    ToolMode stated = word == null ? null : ToolMode.ofWord(word);
    given(stated, builder::mode);
    ToolMode mode = stated == null ? ToolMode.infer(name) : stated;
    builder.retry(around.defaults().retry(mode, section.section("retry", Keys.RETRY)));
    builder.breaker(around.defaults().breaker(section.section("breaker", Keys.BREAKER)));
    given(section.positiveDuration("timeout"), builder::timeout);
    given(section.positiveDuration("deadline"), builder::deadline);
    given(reassurance(), builder::reassurance);
    given(section.optionalFlag("parallel"), builder::parallel);
    given(
        section.word("on_interrupt", INTERRUPTS),
        policy ->
            builder.onInterrupt(
                ToolOptions.InterruptPolicy.valueOf(policy.toUpperCase(Locale.ROOT))));
  }

  private @Nullable Reassurance reassurance() {
    Value value = section.value("reassurance");
    if (value == null || value.node().isString()) {
      String message = value == null ? null : value.filledText();
      return message == null ? null : Reassurance.of(message);
    }
    Section table = value.section(Keys.REASSURANCE);
    if (table == null) {
      return null;
    }
    if (!table.has("message")) {
      value.bad("needs 'message'");
      return null;
    }
    String message = table.filledText("message");
    Integer afterMs = table.whole("after_ms", 0, Integer.MAX_VALUE);
    Duration after = afterMs == null ? Reassurance.DEFAULT_AFTER : Duration.ofMillis(afterMs);
    return message == null ? null : new Reassurance(message, after);
  }

  private void limits(Tool.DynamicBuilder builder) {
    Integer limit = section.whole("result_limit", 1, Integer.MAX_VALUE);
    given(limit, builder::resultLimit);
    if (limit != null && limit < SMALL_RESULT) {
      section
          .place()
          .member("result_limit")
          .warning(
              FaultClass.RESULT_LIMIT_SMALL,
              "%s.result_limit is %d characters: the model reads hardly a sentence"
                  .formatted(section.place().path(), limit));
    }
    given(section.whole("repeat_limit", 0, Integer.MAX_VALUE), builder::repeatLimit);
    given(section.filledText("operation_key"), builder::operationKey);
  }

  private void examples(Tool.DynamicBuilder builder) {
    Value list = section.value("examples");
    if (list == null) {
      return;
    }
    for (Value example : list.items()) {
      Json json =
          example.node().isString()
              ? Json.text(example.node().stringValue())
              : Json.of(example.node());
      if (json.isObject()) {
        builder.example(json.text());
      } else {
        example.bad("must be a table of arguments, or its JSON text");
      }
    }
  }

  private @Nullable Secret secret(Headers headers) {
    Value value = section.value("secret_env");
    String variable = value == null ? null : value.filledText();
    if (value == null || variable == null) {
      return null;
    }
    String text = headers.variable(value, variable);
    try {
      return text == null ? null : Secret.of(text);
    } catch (IllegalArgumentException e) {
      value.bad("names '" + variable + "': " + e.getMessage());
      return null;
    }
  }

  private @Nullable URI url() {
    Value value = section.value("webhook_url");
    String url = value == null ? null : value.text();
    if (url != null && ToolEntry.holdsVariable(url)) {
      return null;
    }
    try {
      return value == null || url == null ? null : new URI(url);
    } catch (URISyntaxException e) {
      value.bad("is no URL (" + e.getReason() + ")");
      return null;
    }
  }

  private static <T> void given(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }
}
