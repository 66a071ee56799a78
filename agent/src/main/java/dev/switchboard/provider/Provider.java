package dev.switchboard.provider;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The providers of models that files can name, each with all that is its own. What reads files,
/// makes clients, keeps keys from leaving and lists providers goes through these constants.
public enum Provider {
  ANTHROPIC("Anthropic", Api.MESSAGES, "https://api.anthropic.com", "ANTHROPIC_API_KEY", false),
  GEMINI(
      "Gemini",
      Api.CHAT,
      "https://generativelanguage.googleapis.com/v1beta/openai",
      "GEMINI_API_KEY",
      true),
  GROQ("Groq", Api.CHAT, "https://api.groq.com/openai/v1", "GROQ_API_KEY", false),
  OLLAMA("Ollama", Api.CHAT, "http://localhost:11434/v1", null, true),
  OPENAI("OpenAI", Api.CHAT, "https://api.openai.com/v1", "OPENAI_API_KEY", true),
  SCRIPTED("", Api.NONE, "", null, false);

  /// The form of the requests.
  public enum Api {
    /// OpenAI's: Responses or chat completions, as the address and the options say.
    CHAT,
    /// Anthropic's messages.
    MESSAGES,
    /// No service: a few words, for a first look at an agent.
    NONE
  }

  private final String title;
  private final Api api;
  private final String baseUrl;
  private final @Nullable String keyVariable;
  private final boolean embeds;

  /// @param title its name for people
  /// @param keyVariable the environment variable of its key, null if it needs none
  /// @param embeds whether it has embeddings
  Provider(String title, Api api, String baseUrl, @Nullable String keyVariable, boolean embeds) {
    this.title = title;
    this.api = api;
    this.baseUrl = baseUrl;
    this.keyVariable = keyVariable;
    this.embeds = embeds;
  }

  /// Its name in files.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Its name for people, empty if it is not a service.
  public String title() {
    return title;
  }

  /// The form of its requests.
  public Api api() {
    return api;
  }

  /// The URL of its service.
  public String baseUrl() {
    return baseUrl;
  }

  /// The host of its service.
  public String host() {
    return URI.create(baseUrl).getHost();
  }

  /// The environment variable of its key, null if it needs none.
  public @Nullable String keyVariable() {
    return keyVariable;
  }

  /// The environment variable of the key that it needs.
  public String neededKeyVariable() {
    return Objects.requireNonNull(keyVariable);
  }

  /// The provider of that name in files, null if there is none.
  public static @Nullable Provider of(String word) {
    return all().filter(provider -> provider.word().equals(word)).findFirst().orElse(null);
  }

  /// The names of all in files.
  public static List<String> words() {
    return all().map(Provider::word).toList();
  }

  /// The names of those that have embeddings.
  public static List<String> wordsOfEmbeddings() {
    return all().filter(provider -> provider.embeds).map(Provider::word).toList();
  }

  /// The environment variables of all keys.
  public static List<String> keyVariables() {
    return all().flatMap(provider -> Stream.ofNullable(provider.keyVariable)).toList();
  }

  private static Stream<Provider> all() {
    return Arrays.stream(values());
  }
}
