package dev.switchboard.anthropic;

import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.provider.Endpoint;
import dev.switchboard.provider.Provider;
import dev.switchboard.provider.RefusedRequest;
import dev.switchboard.provider.ReplyPart;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A model behind Anthropic's messages API.
///
/// Thread-safe.
public final class AnthropicModel implements ChatModel {
  /// The usual environment variable of keys.
  public static final String KEY_VARIABLE = Provider.ANTHROPIC.neededKeyVariable();

  private static final String VERSION = "2023-06-01";
  private static final int LEAST_WINDOW = 1_000; // a smaller one is a miscount
  private static final String OWN_HOST = Provider.ANTHROPIC.host();
  private static final Endpoint.Service SERVICE =
      new Endpoint.Service(
          Provider.ANTHROPIC.baseUrl(), "v1/messages", "x-api-key", "", KEY_VARIABLE);

  // How it says that it cannot use what it has thought: changed, of another conversation or
  // account, or without what follows from it.
  private static final String[] REFUSED_ITEMS = {
    "bound to a different",
    "invalid `signature` in",
    "invalid 'signature' in",
    "blocks in the latest assistant message cannot be modified",
    "final block in an assistant message cannot be"
  };

  private final String name;
  private final ModelOptions options;
  private final Endpoint endpoint;
  private final String by;
  private final MessagesRequest body;
  private volatile int full; // the tokens of a reply that filled its window, 0 before

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
    by = "anthropic/" + endpoint.host() + '/' + name;
    body = new MessagesRequest(name, options, by);
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

  /// Models that think refuse to be forced.
  @Override
  public boolean forcesCalls() {
    return false;
  }

  @Override
  public boolean reasons() {
    return options.reasons();
  }

  @Override
  public int window() {
    int stated = options.window() == null ? 0 : options.window();
    return stated == 0 || full == 0 ? Math.max(stated, full) : Math.min(stated, full);
  }

  @Override
  public int maxTokens() {
    return body.limit();
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    List<Message> messages = ReplyPart.since(request.messages(), by);
    try {
      return attempt(request.withMessages(messages), stream, false);
    } catch (RefusedRequest e) {
      if (e.status() != 400 || !e.says(REFUSED_ITEMS) || !ReplyPart.hasItems(messages, by)) {
        throw e.failure();
      }
    }
    return withoutItems(request, stream);
  }

  /// The reply to a request whose items the API has refused: without them.
  private ModelReply withoutItems(ModelRequest request, ReplyStream stream) {
    List<Message> messages = request.messages();
    List<Message> without = ReplyPart.withoutItems(messages, messages.size());
    try {
      ModelReply reply = attempt(request.withMessages(without), stream, true);
      stream.dropped("refused");
      return reply;
    } catch (RefusedRequest e) {
      throw e.failure();
    }
  }

  private ModelReply attempt(ModelRequest request, ReplyStream stream, boolean fresh)
      throws RefusedRequest {
    MessagesReader reader = new MessagesReader(endpoint.failures(), stream, by, fresh);
    ModelReply reply = endpoint.attempt(body.of(request), stream, reader);
    long tokens = reply.usage().input() + reply.usage().output();
    if (reader.hasFilledWindow() && tokens >= LEAST_WINDOW) {
      full = (int) Math.min(Integer.MAX_VALUE, tokens);
    }
    return reply;
  }

  @Override
  public String name() {
    return "anthropic:" + name;
  }
}
