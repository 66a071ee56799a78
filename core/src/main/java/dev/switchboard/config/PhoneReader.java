package dev.switchboard.config;

import dev.switchboard.config.AgentFile.CarrierSettings;
import dev.switchboard.config.AgentFile.EngineSettings;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.AgentFile.PhoneSettings;
import dev.switchboard.config.AgentFile.TransferSettings;
import dev.switchboard.config.AgentFile.TurnSettings;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.PhoneNumber;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the table `phone` of a file says.
final class PhoneReader {
  private static final Pattern BEGINNING = Pattern.compile("\\+[0-9]{1,15}");
  private static final Pattern ACCOUNT = Pattern.compile("AC[0-9a-fA-F]{32}");
  private static final Pattern WEB = Pattern.compile("https?://[^\\s/].*");
  private static final Pattern SOCKET = Pattern.compile("wss?://[^\\s/].*");

  private final Path folder;
  private final EnvironmentOfPhone environment;

  PhoneReader(Path folder, EnvironmentOfPhone environment) {
    this.folder = folder;
    this.environment = environment;
  }

  /// The phone; null where the file has an error in it.
  @Nullable PhoneSettings settings(AgentToml.Phone phone) {
    CarrierSettings carrier = carrier(phone.carrier());
    EngineSettings engine = engine(phone.engine());
    String number = environment.filled(phone.number(), PhoneNumber::is, "+ and 7 to 15 digits");
    String url =
        environment.filled(
            phone.publicUrl(),
            PhoneReader::isPublic,
            "an https URL without a query, or http on this machine");
    TransferSettings transfer = phone.transfer() == null ? null : transfer(phone.transfer());
    AgentToml.CallLimits limits = phone.limits();
    List<String> systemTools = phone.at().has("system_tools") ? systemTools(phone) : null;
    Path log = log(phone.log());
    if (carrier == null || engine == null || number == null || url == null) {
      return null;
    }
    return new PhoneSettings(
        carrier,
        number,
        url,
        engine,
        transfer,
        limits == null ? Map.of() : durations(limits),
        limits == null ? null : limits.calls(),
        phone.consent() == null ? null : word(phone.consent()),
        phone.words() == null ? Map.of() : words(phone.words()),
        systemTools,
        log,
        phone.logKeys(),
        environment.faults());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  // -- who brings calls in, and what hears and speaks

  private @Nullable CarrierSettings carrier(@Nullable Value value) {
    if (value == null) {
      return null;
    }
    boolean inAWord = value.node().isString();
    AgentToml.Carrier table = inAWord ? null : Binder.bind(value, AgentToml.Carrier.class);
    Value stated = table == null ? value : table.name();
    String name = stated == null || !inAWord && table == null ? null : stated.filledText();
    if (stated == null || name == null || !isKnown(stated, name, CarrierSettings.NAMES)) {
      return null;
    }
    String account = table == null ? null : account(table.accountSid());
    if (table == null || table.accountSid() == null) {
      environment.needs(value, "TWILIO_ACCOUNT_SID");
    }
    String token = environment.variable(table == null ? null : table.authTokenEnv());
    if (table == null || table.authTokenEnv() == null) {
      environment.needs(value, "TWILIO_AUTH_TOKEN");
    }
    String url = table == null ? null : url(table.baseUrl(), WEB, "an http or https URL");
    return new CarrierSettings(name, account, token, url);
  }

  private @Nullable String account(@Nullable Value value) {
    return environment.filled(
        value, text -> ACCOUNT.matcher(text).matches(), "AC and 32 hexadecimal digits");
  }

  private static boolean isKnown(Value value, String name, List<String> known) {
    if (!known.contains(name)) {
      String words = "'" + String.join("', '", known) + "'";
      value.bad("must be one of " + words + ", not '" + name + "'" + Hints.closest(name, known));
    }
    return known.contains(name);
  }

  private @Nullable EngineSettings engine(@Nullable Value value) {
    if (value == null) {
      return null;
    }
    if (value.node().isString()) {
      ModelSettings model = inAWord(value);
      return model == null || !isKnown(value, model.provider(), EngineSettings.PROVIDERS)
          ? null
          : keyed(value, new EngineSettings(model, null, null, null));
    }
    AgentToml.Engine table = Binder.bind(value, AgentToml.Engine.class);
    Value stated = table == null ? null : table.provider();
    String provider = stated == null ? null : stated.filledText();
    if (table == null || stated == null || provider == null || table.name() == null) {
      return null;
    }
    if (!isKnown(stated, provider, EngineSettings.PROVIDERS)) {
      return null;
    }
    String url = url(table.baseUrl(), SOCKET, "a wss URL, or ws on this machine");
    ModelSettings model =
        new ModelSettings(provider, table.name(), url, environment.variable(table.apiKeyEnv()));
    return keyed(
        value,
        new EngineSettings(model, table.voice(), table.language(), turns(table.turnDetection())));
  }

  private static @Nullable ModelSettings inAWord(Value value) {
    try {
      return ModelSettings.of(value.node().stringValue());
    } catch (IllegalArgumentException e) {
      value.bad("must be provider:name, such as \"openai-realtime:gpt-realtime\"");
      return null;
    }
  }

  /// A service of one's own gets a key only where its variable is named.
  private EngineSettings keyed(Value value, EngineSettings engine) {
    if (engine.model().baseUrl() == null && engine.model().apiKeyEnv() == null) {
      environment.needs(value, "OPENAI_API_KEY");
    }
    return engine;
  }

  private static @Nullable TurnSettings turns(@Nullable Value value) {
    if (value == null) {
      return null;
    }
    if (value.node().isString()) {
      Object type = value.word(AgentToml.TurnType.values());
      return type == null ? null : new TurnSettings(word((Enum<?>) type), null, null, null, null);
    }
    AgentToml.TurnDetection table = Binder.bind(value, AgentToml.TurnDetection.class);
    if (table == null || table.type() == null) {
      return null;
    }
    return new TurnSettings(
        word(table.type()),
        table.threshold(),
        table.prefix(),
        table.silence(),
        table.eagerness() == null ? null : word(table.eagerness()));
  }

  private static @Nullable String url(@Nullable Value value, Pattern form, String name) {
    String url = value == null ? null : value.filledText();
    if (value == null || url == null || form.matcher(url).matches()) {
      return url;
    }
    value.bad("must be " + name);
    return null;
  }

  // -- what holds for calls

  private TransferSettings transfer(AgentToml.Transfer table) {
    Map<String, String> to = new LinkedHashMap<>();
    table
        .to()
        .forEach((name, value) -> {
          String number = environment.filled(value, PhoneNumber::is, "+ and 7 to 15 digits");
          if (number != null) {
            to.put(name, number);
          }
        });
    List<String> allow = new ArrayList<>();
    for (Value value : table.allow()) {
      String beginning =
          environment.filled(
              value,
              text -> BEGINNING.matcher(text).matches(),
              "the beginning of a number, such as +49");
      if (beginning != null) {
        allow.add(beginning);
      }
    }
    return new TransferSettings(to, table.at().has("allow") ? allow : null, table.raw());
  }

  private static List<String> systemTools(AgentToml.Phone phone) {
    List<String> names = new ArrayList<>();
    for (Value value : phone.systemTools()) {
      String name = value.filledText();
      if (name != null && isKnown(value, name, ToolNames.RESERVED) && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private static Map<String, Duration> durations(AgentToml.CallLimits limits) {
    Map<String, Duration> durations = new LinkedHashMap<>();
    putStated(durations, "duration", limits.duration());
    putStated(durations, "silence", limits.silence());
    putStated(durations, "drain", limits.drain());
    return durations;
  }

  private static Map<String, String> words(AgentToml.CallWords stated) {
    Map<String, String> words = new LinkedHashMap<>();
    putStated(words, "disclosure", stated.disclosure());
    putStated(words, "reconnect", stated.reconnect());
    putStated(words, "failed", stated.failed());
    putStated(words, "busy", stated.busy());
    putStated(words, "goodbye", stated.goodbye());
    putStated(words, "silence", stated.silence());
    putStated(words, "ending", stated.ending());
    putStated(words, "consent", stated.consent());
    putStated(words, "keys", stated.keys());
    return words;
  }

  private static <T> void putStated(Map<String, T> all, String name, @Nullable T stated) {
    if (stated != null) {
      all.put(name, stated);
    }
  }

  private @Nullable Path log(@Nullable Value value) {
    String text = value == null ? null : value.filledText();
    try {
      return text == null ? null : folder.resolve(text);
    } catch (InvalidPathException e) {
      if (value != null) {
        value.bad("is not a path");
      }
      return null;
    }
  }

  // -- the forms of texts

  private static boolean isPublic(String text) {
    try {
      PublicUrl unused = PublicUrl.of(text);
      return text.equals(text.strip());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
