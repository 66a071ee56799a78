package dev.switchboard.ruling;

/// How the loop goes on, and what the rules remember from then on.
public record LoopStep(LoopDecision decision, RuleState next) {}
