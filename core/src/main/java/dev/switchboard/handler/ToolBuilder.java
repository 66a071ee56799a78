package dev.switchboard.handler;

import dev.switchboard.json.Jackson;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.InterruptPolicy;
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

/// A tool in the making. The last verb names the one thing that answers, so that both and neither
/// do not compile.
///
/// @param <B> the builder itself
public abstract sealed class ToolBuilder<B extends ToolBuilder<B>>
    permits TypedToolBuilder, DynamicToolBuilder {
  final String name;
  private String description = "";
  private @Nullable ToolMode mode;
  private boolean strict;
  private ToolDefaults stated = ToolDefaults.NONE;
  private @Nullable String usageRule;
  private @Nullable Boolean parallel;
  private @Nullable InterruptPolicy onInterrupt;
  private boolean repair;
  private boolean inline;
  private @Nullable String operationKey;
  private List<RuleType> rules = List.of();
  private @Nullable AskReason askReason;
  private final List<Json> examples = new ArrayList<>();
  private @Nullable GuardedHttp network;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private long responseLimit = Webhook.DEFAULT_RESPONSE_LIMIT;

  ToolBuilder(String name) {
    Jackson.check();
    this.name = name;
  }

  abstract B self();

  abstract ParameterSchema parameters(boolean strict);

  abstract @Nullable Json output();

  /// What the tool does and when to use it, for the model.
  public B description(String text) {
    description = text;
    return self();
  }

  /// Its mode, instead of the one its name suggests.
  public B mode(ToolMode stated) {
    mode = stated;
    return self();
  }

  /// Has the schema checked by OpenAI's strict rules, and model services told to keep to it.
  public B strict() {
    strict = true;
    return self();
  }

  /// Bounds one attempt: 10 s unless told.
  public B timeout(Duration attempt) {
    stated = stated.withTimeout(attempt);
    return self();
  }

  /// Bounds the whole call: what its attempts and pauses need, at least 30 s, unless told.
  public B deadline(Duration call) {
    stated = stated.withDeadline(call);
    return self();
  }

  /// Which attempts are made again: up to two, and none for destructive and local tools, unless
  /// told.
  public B retry(RetryPolicy policy) {
    stated = stated.withRetry(policy);
    return self();
  }

  /// When it is left alone for a while: for 30 s after 5 failed calls in a row, unless told.
  public B breaker(BreakerOptions options) {
    stated = stated.withBreaker(options);
    return self();
  }

  /// What is said if it has not answered after 1,500 ms.
  public B reassurance(String message) {
    return reassurance(Reassurance.of(message));
  }

  /// What is said if it is slow.
  public B reassurance(Reassurance sentence) {
    stated = stated.withReassurance(sentence);
    return self();
  }

  /// A sentence for the prompt.
  public B usageRule(String sentence) {
    usageRule = sentence;
    return self();
  }

  /// Characters of text handed to the model at the most: 64,000 unless told.
  public B resultLimit(int characters) {
    stated = stated.withResultLimit(characters);
    return self();
  }

  /// Whether its calls may overlap others of a round: those of read and external tools do unless
  /// told.
  public B parallel(boolean overlaps) {
    parallel = overlaps;
    return self();
  }

  /// What becomes of a call when its conversation is cancelled: those of read tools stop, others
  /// finish, unless told.
  public B onInterrupt(InterruptPolicy policy) {
    onInterrupt = policy;
    return self();
  }

  /// Mends slips in the arguments that leave no doubt, such as `"4"` for 4; never in a strict tool.
  public B repair() {
    repair = true;
    return self();
  }

  /// Runs the handler on the caller's own thread: for trusted, quick code, since nothing bounds its
  /// time.
  public B inline() {
    inline = true;
    return self();
  }

  /// Identical successful calls of a turn after which the next is answered with a hint: 3 unless
  /// told, 0 for no such limit.
  public B repeatLimit(int calls) {
    stated = stated.withRepeatLimit(calls);
    return self();
  }

  /// The argument that names the operation of a tool with several: `operation` or `op` unless told.
  public B operationKey(String argument) {
    operationKey = argument;
    return self();
  }

  /// Its own rules; each holds unless the agent has a rule of the same kind for the tool.
  public B rules(RuleType... own) {
    rules = List.of(own);
    return self();
  }

  /// Has a person asked where that gives a reason; a consent that lasts holds for the same
  /// arguments alone.
  public B asksWhen(AskReason reason) {
    askReason = reason;
    return self();
  }

  /// Arguments that show its use.
  public B example(String arguments) {
    examples.add(Json.text(arguments));
    return self();
  }

  /// The client for its webhook, with the inner services that it may reach; to be shared by the
  /// tools of an agent.
  public B network(GuardedHttp client) {
    network = client;
    return self();
  }

  /// A header of its webhook's requests.
  public B header(String header, String value) {
    headers.put(header, value);
    return self();
  }

  /// Bytes of its webhook's answer that are read at the most: 1 MiB unless told.
  public B responseLimit(long bytes) {
    responseLimit = bytes;
    return self();
  }

  /// The tool, answered by that webhook.
  ///
  /// @throws IllegalArgumentException when the URL is refused as it is written
  public Tool webhook(URI url) {
    return answeredBy(url, null);
  }

  /// The tool, answered by that webhook, each request signed.
  ///
  /// @throws IllegalArgumentException when the URL is refused as it is written
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

  /// The tool, answered by that handler.
  public Tool answeredBy(ToolHandler handler) {
    refuse(ToolNames.fault(name));
    refuse(contradiction(handler));
    ToolMode known = knownMode();
    ParameterSchema schema = parameters(strict);
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
    Running running = new Running(stated, known, parallel, onInterrupt, repair, inline);
    return new Tool(definition, schema, handler, running, ToolDefaults.NONE, rules, askReason);
  }

  private @Nullable String contradiction(ToolHandler handler) {
    boolean webhook = handler instanceof WebhookHandler;
    if (!webhook && (network != null || !headers.isEmpty())) {
      return "tool '%s': network and header are for a webhook".formatted(name);
    }
    boolean waits = webhook || stated.reassurance() != null;
    return inline && waits
        ? "tool '%s': inline is for a handler that needs no time, no reassurance and no webhook"
            .formatted(name)
        : null;
  }

  private static void refuse(@Nullable String fault) {
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
  }

  private ToolMode knownMode() {
    return mode == null ? ToolMode.infer(name) : mode;
  }
}
