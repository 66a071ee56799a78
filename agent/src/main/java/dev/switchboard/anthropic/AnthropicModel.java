package dev.switchboard.anthropic;

import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.provider.Endpoint;
import dev.switchboard.provider.Provider;
import org.jspecify.annotations.Nullable;

/// A model behind Anthropic's messages API.
///
/// Thread-safe.
public final class AnthropicModel implements ChatModel {
  /// The usual environment variable of keys.
  public static final String KEY_VARIABLE = Provider.ANTHROPIC.neededKeyVariable();

  private static final String VERSION = "2023-06-01";
  private static final String OWN_HOST = Provider.ANTHROPIC.host();
  private static final Endpoint.Service SERVICE =
      new Endpoint.Service(
          Provider.ANTHROPIC.baseUrl(), "v1/messages", "x-api-key", "", KEY_VARIABLE);

  private final String name;
  private final ModelOptions options;
  private final Endpoint endpoint;

  private AnthropicModel(String name, ModelOptions options) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a model needs a name");
    }
    this.name = name;
    this.options = options;
    ModelOptions.Misuse misuse = misuse(options);
    if (misuse != null) {
      throw misuse.exception();
    }
    endpoint = Endpoint.of(name(), SERVICE, options).withHeader("anthropic-version", VERSION);
  }

  /// Anthropic's model of that name.
  public static AnthropicModel of(String name, ApiKey key) {
    return of(name, ModelOptions.of(key));
  }

  /// The model of that name.
  ///
  /// @throws IllegalArgumentException when the name is blank, the base URL is invalid, or an option
  ///   is not supported
  public static AnthropicModel of(String name, ModelOptions options) {
    return new AnthropicModel(name, options);
  }

  /// An option that the messages API does not support, null for none.
  public static ModelOptions.@Nullable Misuse misuse(ModelOptions options) {
    return MessagesRequest.misuse(options);
  }

  /// By `output_config.format`, at Anthropic itself or if the options request it, if the API
  /// supports the schema.
  @Override
  public boolean makes(ModelRequest.ReplyFormat format) {
    return options.stateFormat(endpoint.host().equals(OWN_HOST)) && MessagesRequest.takes(format);
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    MessagesRequest body = new MessagesRequest(name, options, stream.wanted());
    return endpoint.ask(body.of(request), stream, new MessagesReader(endpoint.failures(), stream));
  }

  @Override
  public String name() {
    return "anthropic:" + name;
  }
}
