package dev.switchboard.provider;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The names of models that pages, help texts and new files show, and those that their providers
/// have retired or are about to.
public final class ModelNames {
  /// OpenAI's model for agents. It thinks before it replies unless `reasoning` is `none`.
  public static final String OPENAI = "gpt-6-luna";

  /// Anthropic's model for agents.
  public static final String ANTHROPIC = "claude-haiku-5-5";

  /// The model for agents of a machine of one's own.
  public static final String OLLAMA = "qwen3";

  /// OpenAI's embedding model.
  public static final String EMBEDDINGS = "text-embedding-3-small";

  /// OpenAI's model that hears and speaks.
  public static final String REALTIME = "gpt-realtime-2.1";

  /// OpenAI's smaller model that hears and speaks.
  public static final String REALTIME_SMALL = "gpt-realtime-2.1-mini";

  /// OpenAI's model that writes down what callers say.
  public static final String TRANSCRIBER = "gpt-transcribe";

  private static final String OPENAI_LARGE = "gpt-6.1-sol";
  private static final String OPENAI_MIDDLE = "gpt-6.1-terra";
  private static final String GEMINI = "gemini-3.8-flash";
  private static final String GROQ = "openai/gpt-oss-120b";

  private static final Set<String> SHOWN =
      Set.of(
          OPENAI,
          OPENAI_LARGE,
          ANTHROPIC,
          GROQ,
          OLLAMA,
          "qwen3:8b",
          EMBEDDINGS,
          "nomic-embed-text",
          REALTIME,
          REALTIME_SMALL,
          TRANSCRIBER,
          "gpt-live-transcribe",
          "gpt-realtime-whisper");

  // The dates are the providers', as announced until November 2026.
  private static final List<Retired> RETIRED =
      List.of(
          retired("2026-08-16", GROQ, "llama-3.3-70b-versatile"),
          retired("2026-10-23", OPENAI_LARGE, "gpt-4", "gpt-4-turbo", "o1", "o3-mini"),
          retired("2026-10-23", OPENAI_MIDDLE, "gpt-3.5-turbo", "o4-mini"),
          retired("2026-10-23", OPENAI, "gpt-4.1-nano"),
          retired("2026-11-30", "claude-sonnet-5-5", "claude-sonnet-4-5"),
          retired("2026-12-01", GEMINI, "gemini-2.5-pro", "gemini-2.5-flash"),
          retired("2026-12-11", OPENAI_LARGE, "gpt-5", "o3"),
          retired("2026-12-11", OPENAI_MIDDLE, "gpt-5-mini"),
          retired("2026-12-11", OPENAI, "gpt-5-nano"),
          retired("2027-01-14", OPENAI, "gpt-4.1", "gpt-4.1-mini", "gpt-4o", "gpt-4o-mini"),
          retired("2027-01-20", REALTIME, "gpt-realtime"),
          retired("2027-01-20", REALTIME_SMALL, "gpt-realtime-mini"),
          retired("2027-01-22", "claude-opus-5-5", "claude-opus-4-5"),
          retired("2027-02-26", TRANSCRIBER, "whisper-1", "gpt-4o-transcribe"),
          retired("2027-02-26", TRANSCRIBER, "gpt-4o-mini-transcribe"),
          retired("2027-02-26", TRANSCRIBER, "gpt-4o-transcribe-diarize"),
          retired("2027-04-01", OPENAI_LARGE, "gpt-5.1"),
          retired("2027-04-01", OPENAI, "gpt-5.4-nano"),
          new Retired(Set.of("claude-haiku-4-5"), null, ANTHROPIC));

  // A name may end in the day of its version: `-2025-04-14`, `-20251001`.
  private static final Pattern VERSION = Pattern.compile("-(?:\\d{4}-\\d{2}-\\d{2}|\\d{8})$");
  private static final String REALTIME_FAMILY = "gpt-realtime";

  // Not `gpt-realtime-2025-08-28`, a version of the model before.
  private static final Pattern REASONING = Pattern.compile("gpt-realtime-2(?:[.-].*)?");

  private static final Pattern GUIDED = Pattern.compile("gpt-(?:live-)?transcribe(?:-.*)?");

  private ModelNames() {}

  /// Names that one model replaces.
  ///
  /// @param ends the day from which the provider refuses them, null if it has stated none
  private record Retired(Set<String> names, @Nullable LocalDate ends, String successor) {}

  private static Retired retired(String ends, String successor, String... names) {
    return new Retired(Set.of(names), LocalDate.parse(ends), successor);
  }

  private static @Nullable Retired retired(String name) {
    String plain = VERSION.matcher(name).replaceFirst("");
    return RETIRED.stream().filter(some -> some.names.contains(plain)).findFirst().orElse(null);
  }

  /// Whether that name may be shown.
  public static boolean isShown(String name) {
    return SHOWN.contains(name);
  }

  /// The model that replaces the one of that name, null if that is not retired.
  ///
  /// @param name the provider's, with or without the day of its version
  public static @Nullable String successor(String name) {
    Retired retired = retired(name);
    return retired == null ? null : retired.successor;
  }

  /// The day from which the provider refuses the model of that name, null if none is stated.
  ///
  /// @param name the provider's, with or without the day of its version
  public static @Nullable LocalDate ends(String name) {
    Retired retired = retired(name);
    return retired == null ? null : retired.ends;
  }

  /// Whether that is OpenAI's name of a model that hears and speaks.
  public static boolean isRealtime(String name) {
    return name.startsWith(REALTIME_FAMILY) && !name.contains("whisper");
  }

  /// Whether that is OpenAI's name of a model that hears and speaks, and thinks before it speaks.
  public static boolean isReasoningRealtime(String name) {
    return REASONING.matcher(name).matches();
  }

  /// Whether that is OpenAI's name of a transcriber that takes several languages, and keywords.
  public static boolean isGuidedTranscriber(String name) {
    return GUIDED.matcher(name).matches();
  }
}
