package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.guard.Guards;
import dev.switchboard.guard.Secrets;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Ledger;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A [ToolExecutor] in the making.
public final class ToolExecutorBuilder {
  /// How long a request for consent waits by default.
  public static final Duration DEFAULT_CONSENT_TIMEOUT = Duration.ofMinutes(5);

  private final List<Tool> more = new ArrayList<>();
  final List<ToolRegistry.Source> sources = new ArrayList<>();
  final List<ToolRule> rules = new ArrayList<>();
  private final List<Guardrail> guardrails = new ArrayList<>();
  private final List<String> secrets = new ArrayList<>();
  final List<ExecutionListener> listeners = new ArrayList<>();
  ToolRegistry tools = new ToolRegistry();
  private boolean ownRegistry = true;
  Ledger<AgentState> agent = Ledger.inProcess(AgentState.NEW);
  Approver approver = Approver.NOBODY;
  Duration consentTimeout = DEFAULT_CONSENT_TIMEOUT;
  Time time = Time.SYSTEM;
  RandomGenerator random = RandomGenerator.getDefault();
  boolean exposeErrors;
  private @Nullable Services services;
  private ToolDefaults defaults = ToolDefaults.NONE;

  ToolExecutorBuilder() {}

  /// Adds these tools.
  public ToolExecutorBuilder tools(Tool... added) {
    return tools(List.of(added));
  }

  /// Adds these tools.
  public ToolExecutorBuilder tools(List<Tool> added) {
    more.addAll(added);
    return this;
  }

  /// Adds the tools of that source, which the executor closes. Rules may name tools that it does
  /// not have yet.
  public ToolExecutorBuilder tools(ToolRegistry.Source source) {
    sources.add(source);
    return this;
  }

  /// Applies these defaults to the tools that it is given, where they set no value; those of a
  /// [registry][#registry] are as they were registered.
  public ToolExecutorBuilder defaults(ToolDefaults common) {
    defaults = common;
    return this;
  }

  /// Adds the tools to that registry, which may go on changing; so rules may name tools that are
  /// not there yet.
  public ToolExecutorBuilder registry(ToolRegistry registry) {
    tools = registry;
    ownRegistry = false;
    return this;
  }

  /// Holds the calls to these rules.
  public ToolExecutorBuilder rules(ToolRule... added) {
    return rules(List.of(added));
  }

  /// Holds the calls to these rules.
  public ToolExecutorBuilder rules(List<ToolRule> added) {
    rules.addAll(added);
    return this;
  }

  /// Holds calls and results to these guardrails, and the words around them where an agent talks.
  ///
  /// @param secrets values that must not leave, beside those of the environment whose names say so
  public ToolExecutorBuilder guardrails(List<Guardrail> added, List<String> secrets) {
    guardrails.addAll(added);
    this.secrets.addAll(secrets);
    return this;
  }

  Guards guards() {
    return guardrails.isEmpty()
        ? Guards.NONE
        : Guards.of(guardrails, services().model(), Secrets.with(secrets), time);
  }

  /// Asks there for consent.
  public ToolExecutorBuilder approver(Approver asked) {
    approver = asked;
    return this;
  }

  /// Waits so long for an answer to a request for consent.
  ///
  /// @throws IllegalArgumentException when the length of time is not positive
  public ToolExecutorBuilder consentTimeout(Duration length) {
    if (!length.isPositive()) {
      throw new IllegalArgumentException("the consent timeout must be positive");
    }
    consentTimeout = Durations.bounded(length);
    return this;
  }

  /// Keeps cooldowns and lasting consent of the agent there, beyond this process.
  ///
  /// @throws RuntimeException when the store cannot be read
  public ToolExecutorBuilder store(ConversationStore store) {
    agent = Ledger.of(store.agent());
    return this;
  }

  /// Gives handlers these services; without them they have memory that lasts as long as the
  /// executor, a way to the user of the conversation alone, and neither model nor data sources.
  public ToolExecutorBuilder services(Services given) {
    services = given;
    return this;
  }

  Services services() {
    return services == null ? Services.of("", new InProcessMemory(), time) : services;
  }

  /// Goes by that clock.
  public ToolExecutorBuilder time(Time clock) {
    time = clock;
    return this;
  }

  /// Draws the jitter of pauses from there; used by several threads, one at a time.
  public ToolExecutorBuilder random(RandomGenerator generator) {
    random = generator;
    return this;
  }

  /// Tells that listener what happens.
  public ToolExecutorBuilder listener(ExecutionListener listener) {
    listeners.add(listener);
    return this;
  }

  /// Shows the model the message of every exception: for development only.
  public ToolExecutorBuilder exposeErrors(boolean exposed) {
    exposeErrors = exposed;
    return this;
  }

  /// The executor.
  ///
  /// @throws IllegalArgumentException when two tools have the same name, a default is out of its
  ///   bounds, a source that is required is not there, or with every fault of the rules
  public ToolExecutor build() {
    more.forEach(tool -> tools.register(tool.withDefaults(defaults)));
    more.clear();
    checkRules();
    startSources();
    return new ToolExecutor(this);
  }

  private void startSources() {
    try {
      sources.forEach(source -> source.start(tools, defaults, services()));
    } catch (RuntimeException e) {
      sources.forEach(ToolRegistry.Source::close);
      throw e;
    }
  }

  private void checkRules() {
    List<ToolDefinition> known = tools.list().stream().map(Tool::definition).toList();
    String faults =
        RuleLint.faults(rules, ownRegistry && sources.isEmpty() ? known : null).stream()
            .filter(fault -> fault.kind().isError())
            .map(RuleFault::message)
            .collect(Collectors.joining("\n"));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(faults);
    }
  }
}
