package dev.switchboard.phone;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.phone.PhoneSettings.EngineSettings;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.engine.realtime.TurnDetection;
import dev.switchboard.phone.engine.realtime.TurnDetection.Eagerness;
import dev.switchboard.phone.engine.realtime.TurnDetection.SemanticVad;
import dev.switchboard.phone.engine.realtime.TurnDetection.ServerVad;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the key `phone.engine` of a file. The engine validates its settings again.
final class EngineReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");
  private static final Pattern LANGUAGE = Pattern.compile("[a-z]{2,3}");
  private static final Pattern OF_OPENAI = Pattern.compile("wss://api\\.openai\\.com(:443)?(/.*)?");
  private static final String NAMES = "1 to 100 letters, digits, dots, colons or dashes";
  private static final String USUAL_MODEL = "gpt-realtime";

  private final PhoneEnvironment environment;

  EngineReader(PhoneEnvironment environment) {
    this.environment = environment;
  }

  /// The engine; null if the file has an error in it.
  @Nullable EngineSettings settings(@Nullable StatedValue value) {
    if (value == null) {
      return null;
    }
    EngineSettings engine = value.isString() ? inAWord(value) : table(value);
    // The user's own service gets a key only if its variable is named.
    if (engine != null && engine.model().baseUrl() == null && engine.model().apiKeyEnv() == null) {
      environment.needs(value, OpenAiRealtime.KEY_VARIABLE, key -> true, "");
    }
    return engine;
  }

  private static @Nullable EngineSettings inAWord(StatedValue value) {
    String word = String.valueOf(value.text());
    if (EngineSettings.PROVIDERS.contains(word)) {
      return new EngineSettings(new ModelSettings(word, USUAL_MODEL, null, null), null, null, null);
    }
    try {
      ModelSettings model = ModelSettings.of(word);
      return PhoneReader.isKnown(value, model.provider(), EngineSettings.PROVIDERS)
              && canSpeak(value, model.name(), null)
          ? new EngineSettings(model, null, null, null)
          : null;
    } catch (IllegalArgumentException e) {
      value.bad("must be provider:name, such as \"openai-realtime:gpt-realtime\"");
      return null;
    }
  }

  private @Nullable EngineSettings table(StatedValue value) {
    PhoneKeys.Engine table = value.bind(PhoneKeys.Engine.class);
    if (table == null) {
      return null;
    }
    String provider = provider(table.provider());
    StatedValue named = table.name();
    String url =
        PhoneReader.checked(
            table.baseUrl(),
            EngineReader::isSocket,
            "a wss URL without a query, or ws on this machine");
    String name = named == null ? null : named.filledText();
    String voice = PhoneReader.checked(table.voice(), EngineReader::isName, NAMES);
    String language =
        PhoneReader.checked(
            table.language(),
            text -> LANGUAGE.matcher(text).matches(),
            "two or three small letters, such as 'de'");
    TurnDetection turns = turns(table.turnDetection());
    String key = environment.variable(table.apiKeyEnv());
    if (provider == null || named == null || name == null || !canSpeak(named, name, url)) {
      return null;
    }
    return new EngineSettings(new ModelSettings(provider, name, url, key), voice, language, turns);
  }

  private static @Nullable String provider(@Nullable StatedValue value) {
    String name = value == null ? null : value.filledText();
    boolean known =
        value != null && name != null && PhoneReader.isKnown(value, name, EngineSettings.PROVIDERS);
    return known ? name : null;
  }

  /// Whether a model of that name is possible; reports it otherwise.
  private static boolean canSpeak(StatedValue value, String name, @Nullable String url) {
    boolean theirs = url == null || OF_OPENAI.matcher(url).matches();
    if (!isName(name)) {
      value.bad("must name a model by " + NAMES + ", not '" + name + "'");
    } else if (theirs && !name.startsWith("gpt-realtime")) {
      value.bad(
          "must name a model that hears and speaks, such as gpt-realtime or gpt-realtime-mini, not '%s'"
              .formatted(name));
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
        && PhoneReader.isPublic("http" + text.substring(2));
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
