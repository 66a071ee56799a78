package dev.switchboard.ruling;

/// How the loop continues, and the next state of the rules.
public record LoopStep(LoopDecision decision, RuleState next) {}
