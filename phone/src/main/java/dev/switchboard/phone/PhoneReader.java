package dev.switchboard.phone;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.call.CallSettings.Words;
import dev.switchboard.provider.ModelNames;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.PhoneNumber;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the table `phone` of a file.
final class PhoneReader {
  /// The carriers that files can name.
  static final List<CarrierReader> CARRIERS = List.of(new TwilioReader(), new BrowserReader());

  /// The providers of engines that files can name.
  static final List<EngineReader> ENGINES = List.of(new RealtimeReader(), new RelayReader());

  private static final String END_CALL = ToolNames.RESERVED.getLast();

  private final Path folder;
  private final PhoneEnvironment environment;

  PhoneReader(FileTable.Context file) {
    folder = file.folder();
    environment = new PhoneEnvironment(file);
  }

  /// The phone; null if the file has an error in it.
  @Nullable PhoneSettings settings(PhoneKeys phone) {
    CarrierSettings carrier = carrier(phone.carrier());
    boolean isTelephone = isTelephone(phone);
    EngineSettings engine = engine(phone.engine(), isTelephone);
    String number = number(phone, isTelephone);
    String url = publicUrl(phone, isTelephone);
    Transfer transfer = new TransferReader(phone, environment).settings();
    boolean namesSystemTools = phone.at().has("system_tools") || !isTelephone;
    CallSettings.Builder calls =
        CallSettings.builder()
            .transfer(isTelephone ? transfer : Transfer.NONE)
            .limits(limits(phone.limits()))
            .consent(requireNonNullElse(phone.consent(), ConsentMode.OPERATOR))
            .words(new Words(phone.words() == null ? Map.of() : phone.words().said()))
            .systemTools(systemTools(phone, isTelephone))
            .flags(Flag.of(phone.flags()))
            .callersRemembered(phone.remember() == PhoneKeys.Remembered.CALLER)
            .paragraph(requireNonNullElse(phone.prompt(), CallSettings.PARAGRAPH));
    Path log = log(phone.log());
    if (carrier == null || engine == null || number == null || url == null) {
      return null;
    }
    return new PhoneSettings(
        carrier,
        url,
        engine,
        calls.number(number).build(),
        namesSystemTools,
        log,
        environment.faults());
  }

  // Number and public URL, which only a telephone has.

  private @Nullable String number(PhoneKeys phone, boolean isTelephone) {
    if (!isTelephone) {
      return "";
    }
    require(phone, "number");
    return environment.filled(phone.number(), PhoneNumber::is, "+ and 7 to 15 digits");
  }

  private @Nullable String publicUrl(PhoneKeys phone, boolean isTelephone) {
    if (!isTelephone) {
      return "";
    }
    require(phone, "public_url");
    return environment.filled(
        phone.publicUrl(),
        PhoneValues::isPublic,
        "an https URL without a query, or http on this machine");
  }

  private static void require(PhoneKeys phone, String key) {
    if (!phone.at().has(key)) {
      phone.at().bad("needs '" + key + "'");
    }
  }

  // Carrier and engine.

  /// Whether the file's carrier has numbers; also one that is absent or unknown.
  private static boolean isTelephone(PhoneKeys phone) {
    StatedValue value = phone.carrier();
    StatedValue named = value == null || value.isString() ? value : value.member("name");
    String name = named == null || !named.isString() ? null : named.text();
    return CARRIERS.stream()
        .filter(reader -> reader.name().equals(name))
        .allMatch(CarrierReader::isTelephone);
  }

  private @Nullable CarrierSettings carrier(@Nullable StatedValue value) {
    if (value == null) {
      return null;
    }
    boolean inAWord = value.isString();
    PhoneKeys.Carrier table = inAWord ? null : value.bind(PhoneKeys.Carrier.class);
    StatedValue name = inAWord ? value : table == null ? null : table.name();
    CarrierReader reader = named(name, CARRIERS, CarrierReader::name);
    return reader == null ? null : reader.read(value, table, environment);
  }

  private @Nullable EngineSettings engine(@Nullable StatedValue value, boolean isTelephone) {
    if (value == null) {
      return null;
    }
    EngineSettings engine = value.isString() ? engineOfAWord(value) : engineOfATable(value);
    if (engine != null && !isTelephone && !engine.isOfText()) {
      value.bad("must be \"relay\" with the carrier \"browser\", where callers type");
      return null;
    }
    if (engine != null && engine.keyVariable() != null) {
      environment.needs(value, engine.keyVariable(), key -> true, "");
    }
    return engine;
  }

  private static @Nullable EngineSettings engineOfAWord(StatedValue value) {
    String word = String.valueOf(value.text());
    for (EngineReader reader : ENGINES) {
      if (reader.provider().equals(word)) {
        return reader.word(value, null);
      }
    }
    try {
      ModelSettings model = ModelSettings.of(word);
      EngineReader reader = of(model.provider(), value, ENGINES, EngineReader::provider);
      return reader == null ? null : reader.word(value, model.name());
    } catch (IllegalArgumentException e) {
      value.bad("must be provider:name, such as \"openai-realtime:" + ModelNames.REALTIME + "\"");
      return null;
    }
  }

  private @Nullable EngineSettings engineOfATable(StatedValue value) {
    boolean named = value.has("provider");
    EngineReader reader =
        named ? named(value.member("provider"), ENGINES, EngineReader::provider) : null;
    // The other keys of an unknown provider are checked as those of the first.
    EngineSettings engine =
        requireNonNullElse(reader, ENGINES.getFirst()).table(value, environment);
    return reader == null ? null : engine;
  }

  /// The reader whose name the value is; null if there is none, which is reported.
  private static <R> @Nullable R named(
      @Nullable StatedValue value, List<R> readers, Function<R, String> names) {
    String name = value == null ? null : value.filledText();
    return value == null || name == null ? null : of(name, value, readers, names);
  }

  private static <R> @Nullable R of(
      String name, StatedValue value, List<R> readers, Function<R, String> names) {
    List<String> known = readers.stream().map(names).toList();
    return PhoneValues.isKnown(value, name, known) ? readers.get(known.indexOf(name)) : null;
  }

  // Limits and settings of calls.

  private static Limits limits(PhoneKeys.@Nullable CallLimits stated) {
    Limits usual = Limits.DEFAULT;
    return stated == null
        ? usual
        : new Limits(
            requireNonNullElse(stated.duration(), usual.duration()),
            requireNonNullElse(stated.calls(), usual.calls()),
            requireNonNullElse(stated.silence(), usual.silence()),
            requireNonNullElse(stated.drain(), usual.drain()));
  }

  private static List<String> systemTools(PhoneKeys phone, boolean isTelephone) {
    if (!phone.at().has("system_tools")) {
      return isTelephone ? ToolNames.RESERVED : List.of(END_CALL);
    }
    List<String> names = new ArrayList<>();
    for (StatedValue value : phone.systemTools()) {
      String name = value.filledText();
      boolean known = name != null && PhoneValues.isKnown(value, name, ToolNames.RESERVED);
      boolean has = isTelephone || END_CALL.equals(name);
      if (known && has && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private @Nullable Path log(@Nullable StatedValue value) {
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
}
