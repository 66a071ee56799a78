package dev.switchboard.provider;

import dev.switchboard.anthropic.AnthropicModel;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import java.util.Locale;
import java.util.stream.Stream;

/// An API whose provider has a package for Node, which knows the types of its requests and reads
/// its streams.
enum Sdk {
  RESPONSES("/responses", "OpenAI.Responses.ResponseCreateParamsStreaming"),
  CHAT("/chat/completions", "OpenAI.ChatCompletionCreateParams"),
  ANTHROPIC("/messages", "Anthropic.Messages.MessageCreateParamsStreaming");

  private final String path;
  private final String type;

  Sdk(String path, String type) {
    this.path = path;
    this.type = type;
  }

  /// The API of the requests to a path.
  static Sdk of(String path) {
    return Stream.of(values()).filter(sdk -> path.endsWith(sdk.path)).findFirst().orElseThrow();
  }

  /// The type of its requests in TypeScript.
  String type() {
    return type;
  }

  /// Its name in `read.mjs`.
  String reader() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Our client of it.
  ChatModel model(String url, ModelOptions.Builder options) {
    options.baseUrl(url);
    return switch (this) {
      case RESPONSES ->
          OpenAiModel.of("gpt-6-luna", options.api(ModelOptions.Api.RESPONSES).build());
      case CHAT -> OpenAiModel.of("gpt-6-luna", options.api(ModelOptions.Api.CHAT).build());
      case ANTHROPIC -> AnthropicModel.of("claude-haiku-5-5", options.build());
    };
  }
}
