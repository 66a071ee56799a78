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
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Ledger;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Builds a [ToolExecutor].
public final class ToolExecutorBuilder {
  /// How long a request for consent waits by default where a person is present.
  public static final Duration DEFAULT_CONSENT_TIMEOUT = ConsentPatience.PRESENT;

  /// How long a stored request for consent waits by default, except in phone calls.
  public static final Duration STORED_CONSENT_TIMEOUT = ConsentPatience.STORED;

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
  @Nullable Duration consentTimeout;
  Time time = Time.SYSTEM;
  private boolean timed; // whether the clock was set
  RandomGenerator random = new Random(); // safe for use by several threads
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

  /// Sets defaults for tools that set no value; those of a [registry][#registry] stay as
  /// registered.
  public ToolExecutorBuilder defaults(ToolDefaults common) {
    defaults = common;
    return this;
  }

  /// Uses that registry, which may change later; so rules may name tools that it does not have yet.
  public ToolExecutorBuilder registry(ToolRegistry registry) {
    tools = registry;
    ownRegistry = false;
    return this;
  }

  /// Adds rules for calls.
  public ToolExecutorBuilder rules(ToolRule... added) {
    return rules(List.of(added));
  }

  /// Adds rules for calls.
  public ToolExecutorBuilder rules(List<ToolRule> added) {
    rules.addAll(added);
    return this;
  }

  /// Adds guardrails for calls and results, and for an agent's texts.
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

  /// Sets the approver of requests for consent.
  public ToolExecutorBuilder approver(Approver asked) {
    approver = asked;
    return this;
  }

  /// Sets how long a request for consent waits for an answer. The default is 24 hours where the
  /// conversation is stored, and 5 minutes otherwise, in phone calls, and for an [Approver].
  ///
  /// @throws IllegalArgumentException when the duration is not positive
  public ToolExecutorBuilder consentTimeout(Duration length) {
    if (!length.isPositive()) {
      throw new IllegalArgumentException("the consent timeout must be positive");
    }
    consentTimeout = Durations.bounded(length);
    return this;
  }

  /// Stores cooldowns and lasting consents of the agent there.
  ///
  /// @throws RuntimeException when the store cannot be read
  public ToolExecutorBuilder store(ConversationStore store) {
    agent = Ledger.of(store.agent());
    time = timed ? time : store.time();
    return this;
  }

  /// Sets the services of handlers; by default memory as long as the executor, messages to the
  /// conversation's user, no model, and no data sources.
  public ToolExecutorBuilder services(Services given) {
    services = given;
    return this;
  }

  Services services() {
    return services == null ? Services.of("", new InProcessMemory(), time) : services;
  }

  /// Sets the clock.
  public ToolExecutorBuilder time(Time clock) {
    timed = true;
    time = clock;
    return this;
  }

  /// Sets the source of jitter; used by several threads, one at a time.
  public ToolExecutorBuilder random(RandomGenerator generator) {
    random = generator;
    return this;
  }

  /// Adds a listener.
  public ToolExecutorBuilder listener(ExecutionListener listener) {
    listeners.add(listener);
    return this;
  }

  /// Shows the model the message of every exception: for development only.
  public ToolExecutorBuilder exposeErrors(boolean exposed) {
    exposeErrors = exposed;
    return this;
  }

  /// Builds the executor.
  ///
  /// @throws IllegalArgumentException with every fault of tools and rules, one a line: two tools
  ///   have the same name, a default is out of bounds, a rule is invalid; or when a required source
  ///   is unavailable
  public ToolExecutor build() {
    Set<String> faults = register();
    faults.addAll(faultsOfRules());
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", faults));
    }
    startSources();
    return new ToolExecutor(this);
  }

  /// Registers the tools; returns the faults of those that cannot be registered.
  private Set<String> register() {
    Set<String> faults = new LinkedHashSet<>();
    for (Tool tool : more) {
      try {
        tools.register(tool.withDefaults(defaults));
      } catch (IllegalArgumentException e) {
        faults.add(String.valueOf(e.getMessage()));
      }
    }
    if (faults.isEmpty()) {
      more.clear();
    }
    return faults;
  }

  private void startSources() {
    tools.expect(
        RuleLint.names(rules).stream().filter(name -> !name.equals(ToolRule.ANY)).toList());
    try {
      sources.forEach(source -> source.start(tools, defaults, services()));
    } catch (RuntimeException e) {
      sources.forEach(ToolRegistry.Source::close);
      throw e;
    }
  }

  private List<String> faultsOfRules() {
    List<ToolDefinition> known = tools.list().stream().map(Tool::definition).toList();
    List<ToolRule> all = new ArrayList<>(rules);
    all.addAll(RuleSet.holding(rules, CompiledRules.declared(tools.list())));
    return RuleLint.faults(all, ownRegistry && sources.isEmpty() ? known : null).stream()
        .filter(fault -> fault.kind().isError())
        .map(RuleFault::message)
        .toList();
  }
}
