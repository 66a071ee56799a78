package dev.switchboard.execution;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.handler.Services;
import dev.switchboard.json.Json;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Why a person has to agree to calls, and the consents of an agent that last. Thread-safe.
final class ConsentDemands {
  private final Ledger<AgentState> agent;
  private final SteadyClock clock;
  private final Services services;

  ConsentDemands(Ledger<AgentState> agent, SteadyClock clock, Services services) {
    this.agent = agent;
    this.clock = clock;
    this.services = services;
  }

  /// Why a person has to agree to a call; empty if no one has to, or a lasting consent covers it.
  List<ConsentRequest.Demand> of(CompiledTool tool, Json arguments, String principal) {
    List<ConsentRequest.Demand> all = allDemands(tool, arguments, principal);
    if (all.isEmpty()) {
      return all;
    }
    // Another process may have a lasting answer, or may have taken one back.
    return agent.refresh().grants().open(tool.tool().name(), principal, all, clock.now());
  }

  /// The reasons of its mode, of rules, and of the tool itself.
  private List<ConsentRequest.Demand> allDemands(
      CompiledTool tool, Json arguments, String principal) {
    List<ConsentRequest.Demand> demands = tool.policy().demands(arguments);
    String reason = tool.tool().askReason(arguments, services.withPrincipal(principal));
    if (reason == null) {
      return demands;
    }
    List<ConsentRequest.Demand> all = new ArrayList<>(demands);
    all.add(new ConsentRequest.Demand(reason, null, arguments, "asked by the tool: " + reason));
    return all;
  }

  /// Stores a lasting consent to calls like this one, for the reasons that the person read.
  ///
  /// @param asked the reasons that the person read; a new or changed rule asks again
  void grant(
      CompiledTool tool,
      Json arguments,
      ToolSession session,
      List<ConsentRequest.Demand> asked,
      Answer.Approved answer) {
    String name = tool.tool().name();
    Set<String> read = asked.stream().map(ConsentRequest.Demand::rule).collect(Collectors.toSet());
    List<ConsentRequest.Demand> demands =
        allDemands(tool, arguments, session.principal()).stream()
            .filter(now -> read.contains(now.rule()))
            .toList();
    agent.change(state ->
        new Ledger.Step<>(
            state.withGrants(
                state
                    .grants()
                    .with(
                        name,
                        session.conversationId(),
                        answer.forAll() ? null : session.principal(),
                        demands,
                        answer.holds(),
                        clock.now())),
            demands));
  }
}
