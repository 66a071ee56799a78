package dev.switchboard.consent;

import dev.switchboard.json.Json;
import org.jspecify.annotations.Nullable;

/// One reason why a person has to agree to a call, and what a lasting grant would hold for.
///
/// @param reason a sentence
/// @param scope the label of the rule that asks, null for none
/// @param bound the arguments and their values that a grant holds for; without those that are
///   missing
/// @param rule a digest of the rule that asks, so that a changed rule is another one; empty where a
///   lasting grant is not possible
public record Demand(String reason, @Nullable String scope, Json bound, String rule) {}
