package dev.switchboard.ruling;

/// How the loop continues, and what the rules remember from then on.
public record LoopStep(LoopDecision decision, RuleState next) {}
