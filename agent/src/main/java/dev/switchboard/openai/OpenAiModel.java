package dev.switchboard.openai;

import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.provider.Endpoint;
import dev.switchboard.provider.Provider;
import dev.switchboard.provider.RefusedRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A model behind OpenAI's Responses API or chat completions, or a compatible server.
///
/// OpenAI's and Azure's own addresses are asked by Responses, others by chat completions, unless
/// the options say otherwise or a service refers to Responses. Thread-safe.
public final class OpenAiModel implements ChatModel {
  /// The usual environment variable of keys.
  public static final String KEY_VARIABLE = Provider.OPENAI.neededKeyVariable();

  private static final Set<String> AZURE = Set.of(".openai.azure.com", ".services.ai.azure.com");

  private final String provider;
  private final String name;
  private final ModelOptions options;
  private final boolean own;
  private final ResponsesClient responses;
  private final ChatClient chat;
  private volatile boolean byResponses;

  private OpenAiModel(String provider, String name, ModelOptions options) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a model needs a name");
    }
    this.provider = provider;
    this.name = name;
    this.options = options;
    ModelOptions.Misuse misuse = misuse(options);
    if (misuse != null) {
      throw misuse.exception();
    }
    own = isOwn(options.baseUrl());
    byResponses = byResponses(options);
    Endpoint endpoint = Endpoint.of(name(), service(ChatClient.PATH), options);
    chat = new ChatClient(name, options, endpoint, own);
    responses = new ResponsesClient(name, options, endpoint.withPath(ResponsesClient.PATH));
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

  /// An option that the API does not support by which this service is asked, null for none.
  public static ModelOptions.@Nullable Misuse misuse(ModelOptions options) {
    return byResponses(options) ? ResponsesRequest.misuse(options) : ChatRequest.misuse(options);
  }

  private static boolean byResponses(ModelOptions options) {
    return options.api() == null
        ? isOwn(options.baseUrl())
        : options.api() == ModelOptions.Api.RESPONSES;
  }

  /// Whether a service has OpenAI's own models by its address: OpenAI's or Azure's.
  private static boolean isOwn(@Nullable String baseUrl) {
    String url = baseUrl == null ? Provider.OPENAI.baseUrl() : baseUrl.strip();
    URI address;
    try {
      address = new URI(url);
    } catch (URISyntaxException e) {
      return false; // reported by the endpoint
    }
    String host = address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
    boolean azure = AZURE.stream().anyMatch(host::endsWith);
    return host.equals(Provider.OPENAI.host())
        || azure && address.getPath().matches("/openai/v1/?");
  }

  /// In the API's own format, at OpenAI itself or if the options request it.
  @Override
  public boolean makes(ModelRequest.ReplyFormat format) {
    return options.stateFormat(own);
  }

  @Override
  public boolean reasons() {
    return options.reasons();
  }

  @Override
  public int window() {
    return options.window() == null ? 0 : options.window();
  }

  @Override
  public int maxTokens() {
    return options.maxTokens() == null ? 0 : options.maxTokens();
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    try {
      return byResponses ? responses.reply(request, stream) : chatReply(request, stream);
    } catch (RefusedRequest e) {
      throw e.failure();
    }
  }

  /// The reply by chat completions, unless the service says that the model needs Responses.
  private ModelReply chatReply(ModelRequest request, ReplyStream stream) throws RefusedRequest {
    try {
      return chat.reply(request, stream);
    } catch (RefusedRequest e) {
      boolean refers = (e.status() == 400 || e.status() == 404) && e.says("v1/responses");
      if (options.api() != null || !refers) {
        throw e;
      }
      return switched(request, stream, e);
    }
  }

  /// The reply by Responses. A service without this API does not become another by that.
  ///
  /// @param first what it said before
  private ModelReply switched(ModelRequest request, ReplyStream stream, RefusedRequest first)
      throws RefusedRequest {
    try {
      ModelReply reply = responses.reply(request, stream);
      byResponses = true;
      return reply;
    } catch (RefusedRequest e) {
      boolean missing = e.status() == 404 || e.status() == 405 || e.status() == 501;
      if (missing && !e.says("model_not_found")) {
        throw first;
      }
      byResponses = true;
      throw e;
    }
  }

  @Override
  public String name() {
    return provider + ":" + name;
  }
}
