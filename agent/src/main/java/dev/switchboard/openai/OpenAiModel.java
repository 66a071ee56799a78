package dev.switchboard.openai;

import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.provider.Endpoint;
import dev.switchboard.provider.Provider;
import org.jspecify.annotations.Nullable;

/// A model behind OpenAI's chat completions API, or a compatible server.
///
/// Thread-safe.
public final class OpenAiModel implements ChatModel {
  /// The usual environment variable of keys.
  public static final String KEY_VARIABLE = Provider.OPENAI.neededKeyVariable();

  private static final String OWN_HOST = Provider.OPENAI.host();
  private final String provider;
  private final String name;
  private final ModelOptions options;
  private final Endpoint endpoint;
  private volatile boolean thinksFirst; // as stated, or as a reply has shown

  private OpenAiModel(String provider, String name, ModelOptions options) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a model needs a name");
    }
    this.provider = provider;
    this.name = name;
    this.options = options;
    thinksFirst = options.thinksFirst();
    ModelOptions.Misuse misuse = misuse(options);
    if (misuse != null) {
      throw misuse.exception();
    }
    endpoint = Endpoint.of(name(), service("chat/completions"), options);
  }

  /// OpenAI's service below that path.
  static Endpoint.Service service(String path) {
    return new Endpoint.Service(
        Provider.OPENAI.baseUrl(), path, "Authorization", "Bearer ", KEY_VARIABLE);
  }

  /// OpenAI's model of that name.
  ///
  /// @param name such as `gpt-6-luna`
  public static OpenAiModel of(String name, ApiKey key) {
    return of(name, ModelOptions.of(key));
  }

  /// The model of that name.
  ///
  /// @param name the server's, such as `gpt-6-luna`
  /// @throws IllegalArgumentException when the name is blank, the base URL is invalid, or an option
  ///   is not supported
  public static OpenAiModel of(String name, ModelOptions options) {
    return new OpenAiModel("openai", name, options);
  }

  /// The model of that name.
  ///
  /// @param provider its provider's name in messages, such as `ollama`
  /// @throws IllegalArgumentException when the name is blank, the base URL is invalid, or an option
  ///   is not supported
  public static OpenAiModel of(String provider, String name, ModelOptions options) {
    return new OpenAiModel(provider, name, options);
  }

  /// An option that chat completions do not support, null for none.
  public static ModelOptions.@Nullable Misuse misuse(ModelOptions options) {
    return ChatRequest.misuse(options);
  }

  /// By `response_format`, at OpenAI itself or if the options request it.
  @Override
  public boolean makes(ModelRequest.ReplyFormat format) {
    return options.stateFormat(endpoint.host().equals(OWN_HOST));
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    boolean own = endpoint.host().equals(OWN_HOST);
    ChatRequest body = new ChatRequest(name, options, own, stream.wanted());
    ChatReader reader =
        new ChatReader(endpoint.failures(), stream, thinksFirst, () -> thinksFirst = true);
    return endpoint.ask(body.of(request), stream, reader);
  }

  @Override
  public String name() {
    return provider + ":" + name;
  }
}
