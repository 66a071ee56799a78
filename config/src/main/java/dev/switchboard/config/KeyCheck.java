package dev.switchboard.config;

import dev.switchboard.config.AgentFile.AgentSettings;
import dev.switchboard.config.AgentFile.EmbeddingSettings;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.provider.Provider;
import java.util.List;

/// The check that the environment has the keys of an agent's models, for people who check a file:
/// an agent that runs is refused when its models are made.
final class KeyCheck {
  private final Environment environment;

  KeyCheck(Environment environment) {
    this.environment = environment;
  }

  /// Warns of each key that is not set.
  ///
  /// @param settings of that agent, without a fault
  void warn(AgentToml.Agent agent, AgentSettings settings) {
    ModelSettings model = settings.model();
    if (model != null) {
      warn(agent.at().member("model"), model);
    }
    List<Value> fallback = agent.fallback();
    for (int i = 0; i < Math.min(fallback.size(), settings.fallbacks().size()); i++) {
      warn(fallback.get(i), settings.fallbacks().get(i));
    }
    EmbeddingSettings embeddings = settings.embeddings();
    if (embeddings != null) {
      warn(agent.at().member("embeddings"), embeddings.model());
    }
  }

  private void warn(Value at, ModelSettings model) {
    Provider provider = Provider.of(model.provider());
    String named = model.apiKeyEnv();
    String usual = provider == null || model.baseUrl() != null ? null : provider.keyVariable();
    String variable = named == null ? usual : named;
    String value = variable == null ? null : environment.get(variable);
    if (variable == null || value != null && !value.isBlank()) {
      return;
    }
    Value place = named == null ? at : at.member("api_key_env");
    String verb = named == null ? " needs the" : " names the";
    place.warning(
        FaultClass.BAD_VALUE,
        place.path() + verb + " environment variable '" + variable + "', which is not set");
  }
}
