package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.Placeholders;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import dev.switchboard.webhook.Webhook;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A builder of a tool. Its last method names the handler or the webhook.
///
/// @param <B> the builder itself
abstract sealed class ToolBuilder<B extends ToolBuilder<B>>
    permits Tool.TypedBuilder, Tool.DynamicBuilder {
  final String name;
  private String description = "";
  private @Nullable ToolMode mode;
  private boolean strict;
  private ToolDefaults stated = ToolDefaults.NONE;
  private @Nullable String usageRule;
  private @Nullable Boolean parallel;
  private ToolOptions.@Nullable InterruptPolicy onInterrupt;
  private @Nullable String confirm;
  private boolean repair;
  private boolean inline;
  private boolean ofHost;
  private ToolOptions.@Nullable Delivery delivery;
  private @Nullable String operationKey;
  private List<RuleType> rules = List.of();
  private Tool.@Nullable AskReason askReason;
  private final List<Json> examples = new ArrayList<>();
  private @Nullable GuardedHttp network;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private long responseLimit = Webhook.DEFAULT_RESPONSE_LIMIT;

  ToolBuilder(String name) {
    Json.checkJackson();
    this.name = name;
  }

  abstract B self();

  abstract ParameterSchema parameters(boolean strict);

  abstract @Nullable Json output();

  /// Makes it a tool of a host for one conversation. It may have a name that is reserved for hosts.
  public B ofHost() {
    ofHost = true;
    return self();
  }

  /// Sets what the tool does and when to use it, for the model.
  public B description(@Nullable String text) {
    description = text == null ? "" : text;
    return self();
  }

  /// Sets the tool's mode; by default the name implies it.
  public B mode(ToolMode stated) {
    mode = stated;
    return self();
  }

  /// Checks the schema against OpenAI's strict rules, and requests strict mode from model services.
  public B strict() {
    strict = true;
    return self();
  }

  /// Limits one attempt: 10 s by default.
  public B timeout(Duration attempt) {
    stated = stated.withTimeout(attempt);
    return self();
  }

  /// Limits the whole call: by default what its attempts and pauses need, at least 30 s.
  public B deadline(Duration call) {
    stated = stated.withDeadline(call);
    return self();
  }

  /// Sets the retry policy: two retries by default, none for destructive and local tools.
  public B retry(RetryPolicy policy) {
    stated = stated.withRetry(policy);
    return self();
  }

  /// Repeats a call whose process died, under the same idempotency key: the default, except for
  /// [destructive][ToolMode#DESTRUCTIVE] tools whose receiver does not recognize the key.
  public B atLeastOnce() {
    delivery = ToolOptions.Delivery.AT_LEAST_ONCE;
    return self();
  }

  /// Never repeats a call that may have acted: the model reads that its outcome is unknown. An
  /// attempt is repeated only if nothing was sent.
  public B atMostOnce() {
    delivery = ToolOptions.Delivery.AT_MOST_ONCE;
    return self();
  }

  /// As [#atMostOnce()], but a probe looks up the outcome first.
  public B reconcile(ToolOptions.Delivery.Probe probe) {
    delivery = new ToolOptions.Delivery.Reconcile(probe);
    return self();
  }

  /// Sets when the circuit breaker opens: by default for 30 s after 5 failed calls in a row.
  public B breaker(BreakerOptions options) {
    stated = stated.withBreaker(options);
    return self();
  }

  /// Sets the sentence that the user sees if the tool has not answered after 1,500 ms.
  public B reassurance(String message) {
    return reassurance(Reassurance.of(message));
  }

  /// Sets what the user sees while the tool is slow.
  public B reassurance(Reassurance sentence) {
    stated = stated.withReassurance(sentence);
    return self();
  }

  /// Adds a sentence to the prompt.
  public B usageRule(String sentence) {
    usageRule = sentence;
    return self();
  }

  /// Limits the characters of text that the model reads: 64,000 by default.
  public B resultLimit(int characters) {
    stated = stated.withResultLimit(characters);
    return self();
  }

  /// Sets whether its calls may overlap others of a round: by default those of read and external
  /// tools.
  public B parallel(boolean overlaps) {
    parallel = overlaps;
    return self();
  }

  /// Sets the question for a caller's consent on the phone, such as `Shall I start the return of
  /// {item_id}?`, with parameters as placeholders.
  public B confirm(String question) {
    confirm = question;
    return self();
  }

  /// Sets what happens to a call when its conversation is cancelled: by default read tools stop and
  /// others finish. A tool that is set to cancel also stops when a caller on the phone interrupts
  /// the agent.
  public B onInterrupt(ToolOptions.InterruptPolicy policy) {
    onInterrupt = policy;
    return self();
  }

  /// Repairs unambiguous mistakes in the arguments, such as `"4"` for 4; not in a strict tool.
  public B repair() {
    repair = true;
    return self();
  }

  /// Runs the handler on the caller's thread, without a time limit: for trusted, quick code.
  public B inline() {
    inline = true;
    return self();
  }

  /// Limits the identical successful calls of a turn: 3 by default, 0 for no limit.
  public B repeatLimit(int calls) {
    stated = stated.withRepeatLimit(calls);
    return self();
  }

  /// Names the argument that selects the operation of a tool: `operation` or `op` by default.
  public B operationKey(String argument) {
    operationKey = argument;
    return self();
  }

  /// Adds the tool's own rules; a rule of the agent of the same kind replaces one.
  public B rules(RuleType... own) {
    rules = List.of(own);
    return self();
  }

  /// Asks a person for consent if the function gives a reason; a lasting consent covers only equal
  /// arguments.
  public B asksWhen(Tool.AskReason reason) {
    askReason = reason;
    return self();
  }

  /// Adds arguments as examples of its use.
  public B example(String arguments) {
    examples.add(Json.text(arguments));
    return self();
  }

  /// Sets the HTTP client of its webhook; share it among the tools of an agent.
  public B network(GuardedHttp client) {
    network = client;
    return self();
  }

  /// Adds a header to its webhook's requests.
  public B header(String header, String value) {
    headers.put(header, value);
    return self();
  }

  /// Limits the bytes of its webhook's answer: 1 MiB by default.
  ///
  /// @throws IllegalArgumentException when it is less than 1
  public B responseLimit(long bytes) {
    refuse(bytes < 1 ? "response_limit must be at least 1" : null);
    responseLimit = bytes;
    return self();
  }

  /// Builds the tool, answered by that webhook.
  ///
  /// @throws IllegalArgumentException when the URL is refused
  public Tool webhook(URI url) {
    return answeredBy(url, null);
  }

  /// Builds the tool, answered by that webhook with signed requests.
  ///
  /// @throws IllegalArgumentException when the URL is refused
  public Tool webhook(URI url, Secret secret) {
    return answeredBy(url, secret);
  }

  private Tool answeredBy(URI url, @Nullable Secret secret) {
    GuardedHttp client = network == null ? GuardedHttp.strict() : network;
    return answeredBy(new WebhookHandler(name, webhook(url, secret, client)));
  }

  private Webhook webhook(URI url, @Nullable Secret secret, GuardedHttp client) {
    try {
      return new Webhook(url.toString(), client, secret, headers, responseLimit);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("tool '%s': %s".formatted(name, e.getMessage()), e);
    }
  }

  /// Builds the tool, answered by that handler.
  ///
  /// @throws IllegalArgumentException when it is one of a typed tool, and this is none
  public Tool answeredBy(ToolHandler handler) {
    refuse(missing(handler));
    refuse(ToolNames.fault(name, ofHost));
    refuse(contradiction(handler));
    ToolMode known = knownMode(handler);
    ParameterSchema schema = parameters(strict);
    refuse(strangePlaceholder(schema));
    ToolDefinition definition =
        new ToolDefinition(
            name,
            description,
            schema.json(),
            strict,
            known,
            output(),
            usageRule,
            examples,
            operationKey);
    Running running =
        new Running(
            stated,
            known,
            handler.mayRepeat(known),
            parallel,
            onInterrupt,
            confirm,
            repair,
            inline,
            delivery(handler, known));
    return new Tool(definition, schema, handler, running, ToolDefaults.NONE, rules, askReason);
  }

  /// The fault of a tool without a handler.
  @Nullable String missing(@Nullable Object handler) {
    return handler == null
        ? "tool '%s' requires either 'webhook_url' or 'handler'".formatted(name)
        : null;
  }

  /// A destructive tool with stated retries is repeated: its author has said that this does no
  /// harm.
  private ToolOptions.Delivery delivery(ToolHandler handler, ToolMode known) {
    RetryPolicy retry = stated.retry();
    boolean repeats = handler.knowsRepeats() || (retry != null && retry.maxRetries() > 0);
    ToolOptions.Delivery usual =
        known == ToolMode.DESTRUCTIVE && !repeats
            ? ToolOptions.Delivery.AT_MOST_ONCE
            : ToolOptions.Delivery.AT_LEAST_ONCE;
    return delivery == null ? usual : delivery;
  }

  private @Nullable String strangePlaceholder(ParameterSchema schema) {
    for (String placeholder : Placeholders.in(confirm == null ? "" : confirm)) {
      if (!schema.json().tree().path("properties").has(placeholder)) {
        return "tool '%s': confirm has '{%s}', which is not one of its parameters"
            .formatted(name, placeholder);
      }
    }
    return null;
  }

  private @Nullable String contradiction(ToolHandler handler) {
    boolean webhook = handler instanceof WebhookHandler;
    if (!webhook && (network != null || !headers.isEmpty())) {
      return "tool '%s': network and header are for a webhook".formatted(name);
    }
    if (handler instanceof ToolHandler.Typed && this instanceof Tool.DynamicBuilder) {
      return "tool '%s': this handler takes a typed tool's arguments; use Tool.typed"
          .formatted(name);
    }
    boolean waits = webhook || stated.reassurance() != null;
    return inline && waits
        ? "tool '%s': inline is for a handler that answers at once, without reassurance or webhook"
            .formatted(name)
        : null;
  }

  static void refuse(@Nullable String fault) {
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
  }

  private ToolMode knownMode(ToolHandler handler) {
    return mode == null ? ToolMode.infer(name, handler.mode()) : mode;
  }
}
