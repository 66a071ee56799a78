package dev.switchboard.phone;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime.Effort;
import dev.switchboard.phone.engine.realtime.Transcriber;
import dev.switchboard.phone.engine.realtime.TurnDetection;
import dev.switchboard.phone.engine.realtime.TurnDetection.Eagerness;
import dev.switchboard.phone.engine.realtime.TurnDetection.SemanticVad;
import dev.switchboard.phone.engine.realtime.TurnDetection.ServerVad;
import dev.switchboard.provider.ModelNames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads an engine behind OpenAI's Realtime API. The engine validates its settings again.
final class RealtimeReader implements EngineReader {
  private static final String PROVIDER = "openai-realtime";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");
  private static final String NO_TRANSCRIBER = "none";
  private static final Pattern OF_OPENAI = Pattern.compile("wss://api\\.openai\\.com(:443)?(/.*)?");
  private static final String NAMES = "1 to 100 letters, digits, dots, colons or dashes";

  @Override
  public String provider() {
    return PROVIDER;
  }

  @Override
  public @Nullable EngineSettings word(StatedValue value, @Nullable String model) {
    String name = requireNonNullElse(model, ModelNames.REALTIME);
    return canSpeak(value, name, null)
        ? new RealtimeSettings(
            new ModelSettings(PROVIDER, name, null, null), null, null, Transcriber.USUAL, null)
        : null;
  }

  @Override
  public @Nullable EngineSettings table(StatedValue value, PhoneEnvironment environment) {
    PhoneKeys.Engine table = value.bind(PhoneKeys.Engine.class);
    if (table == null) {
      return null;
    }
    StatedValue named = table.name();
    String url =
        PhoneValues.checked(
            table.baseUrl(),
            RealtimeReader::isSocket,
            "a wss URL without a query, or ws on this machine");
    String name = named == null ? null : named.filledText();
    String voice = PhoneValues.checked(table.voice(), RealtimeReader::isName, NAMES);
    boolean speaks = named != null && name != null && canSpeak(named, name, url);
    Effort reasoning = reasoning(table.reasoning(), speaks ? name : null);
    Transcriber transcriber = transcriber(table.transcriber());
    TurnDetection turns = turns(table.turnDetection());
    String key = environment.variable(table.apiKeyEnv());
    if (name == null || !speaks) {
      return null;
    }
    return new RealtimeSettings(
        new ModelSettings(PROVIDER, name, url, key), voice, reasoning, transcriber, turns);
  }

  /// How much a model thinks, null if that is not stated, or a fault.
  ///
  /// @param model null if its name is a fault
  private static @Nullable Effort reasoning(@Nullable StatedValue value, @Nullable String model) {
    if (value == null) {
      return null;
    }
    if (model != null && !ModelNames.isReasoningRealtime(model)) {
      value.bad(
          "is for models that think before they speak, such as %s, not for '%s'"
              .formatted(ModelNames.REALTIME, model));
      return null;
    }
    return value.word(Effort.class);
  }

  /// Whether a model of that name is possible; reports it otherwise.
  private static boolean canSpeak(StatedValue value, String name, @Nullable String url) {
    boolean theirs = url == null || OF_OPENAI.matcher(url).matches();
    if (!isName(name)) {
      value.bad("must name a model by " + NAMES + ", not '" + name + "'");
    } else if (theirs && !ModelNames.isRealtime(name)) {
      value.bad(
          "must name a model that hears and speaks, such as %s or %s, not '%s'"
              .formatted(ModelNames.REALTIME, ModelNames.REALTIME_SMALL, name));
    } else {
      return true;
    }
    return false;
  }

  private static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  private static boolean isSocket(String text) {
    return (text.startsWith("wss://") || text.startsWith("ws://"))
        && PhoneValues.isPublic("http" + text.substring(2));
  }

  /// The transcriber, null for none, or if there is a fault.
  private static @Nullable Transcriber transcriber(@Nullable StatedValue value) {
    if (value == null) {
      return Transcriber.USUAL;
    }
    if (value.isString()) {
      String name = PhoneValues.checked(value, RealtimeReader::isName, NAMES);
      return name == null || name.equals(NO_TRANSCRIBER)
          ? null
          : new Transcriber(name, List.of(), List.of());
    }
    PhoneKeys.Transcriber table = value.bind(PhoneKeys.Transcriber.class);
    if (table == null) {
      return null;
    }
    String name = PhoneValues.checked(table.name(), RealtimeReader::isName, NAMES);
    List<String> languages =
        texts(
            table.languages(), Transcriber::isLanguage, "two or three small letters, such as 'de'");
    List<String> keywords = texts(table.keywords(), text -> true, "");
    return new Transcriber(requireNonNullElse(name, ModelNames.TRANSCRIBER), languages, keywords);
  }

  /// The valid texts of a list; others are reported.
  private static List<String> texts(List<StatedValue> list, Predicate<String> good, String form) {
    List<String> texts = new ArrayList<>();
    for (StatedValue value : list) {
      String text = PhoneValues.checked(value, good, form);
      if (text != null) {
        texts.add(text);
      }
    }
    return texts;
  }

  // The detection of the end of a turn.

  private static @Nullable TurnDetection turns(@Nullable StatedValue value) {
    if (value == null) {
      return null;
    }
    if (value.isString()) {
      PhoneKeys.TurnType type = value.word(PhoneKeys.TurnType.class);
      return type == null
          ? null
          : switch (type) {
            case SERVER_VAD -> ServerVad.USUAL;
            case SEMANTIC_VAD -> new SemanticVad(Eagerness.AUTO);
          };
    }
    PhoneKeys.TurnDetection table = value.bind(PhoneKeys.TurnDetection.class);
    if (table == null || table.type() == null) {
      return null;
    }
    return switch (table.type()) {
      case SERVER_VAD -> {
        refuse(value, "semantic_vad", "eagerness");
        ServerVad usual = ServerVad.USUAL;
        yield new ServerVad(
            requireNonNullElse(table.threshold(), usual.threshold()),
            requireNonNullElse(table.prefix(), usual.prefix()),
            requireNonNullElse(table.silence(), usual.silence()));
      }
      case SEMANTIC_VAD -> {
        refuse(value, "server_vad", "threshold", "prefix", "silence");
        yield new SemanticVad(requireNonNullElse(table.eagerness(), Eagerness.AUTO));
      }
    };
  }

  private static void refuse(StatedValue table, String type, String... keys) {
    for (String key : keys) {
      if (table.has(key)) {
        table.member(key).bad("is for the type '" + type + "' only");
      }
    }
  }
}
