package dev.switchboard.config;

import dev.switchboard.agent.AgentLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the table `agent` of a file says, tools aside.
///
/// @param name by default the file's name without `.toml`
/// @param systemPrompt null where there is none
/// @param model null where there is none
/// @param embeddings null where memory is searched by words alone
/// @param consentTimeout how long a person has to answer a request for consent
/// @param firstMessage what the agent says first, null for nothing
/// @param variables texts for the placeholders of prompt and first message, by name
/// @param guardrails words or sentences for a later check of the output
/// @param denyPending whether a new sentence of the user denies what waits for consent, instead of
///   being refused
/// @param exposeErrors whether the model sees the message of every exception
/// @param toolNames the tools that the agent has, in their order; null for all
public record AgentSettings(
    String name,
    @Nullable String systemPrompt,
    @Nullable ModelSettings model,
    @Nullable EmbeddingSettings embeddings,
    AgentLimits limits,
    Duration consentTimeout,
    @Nullable String firstMessage,
    Map<String, String> variables,
    List<String> guardrails,
    boolean denyPending,
    boolean exposeErrors,
    @Nullable List<String> toolNames) {
  public AgentSettings {
    variables = Map.copyOf(variables);
    guardrails = List.copyOf(guardrails);
    toolNames = toolNames == null ? null : List.copyOf(toolNames);
  }
}
