package dev.switchboard.phone;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.PhoneSettings.CarrierSettings;
import dev.switchboard.phone.PhoneSettings.EngineSettings;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.carrier.twilio.Twilio;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.PhoneNumber;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the table `phone` of a file.
final class PhoneReader {
  private static final Pattern ACCOUNT = Pattern.compile("AC[0-9a-fA-F]{32}");
  private static final Pattern TWILIO =
      Pattern.compile("api(\\.[a-z0-9-]+\\.[a-z0-9-]+)?\\.twilio\\.com");

  private static final String ACCOUNT_FORM = "AC and 32 hexadecimal digits";

  private final Path folder;
  private final PhoneEnvironment environment;

  PhoneReader(FileTable.Context file) {
    folder = file.folder();
    environment = new PhoneEnvironment(file);
  }

  /// The phone; null if the file has an error in it.
  @Nullable PhoneSettings settings(PhoneKeys phone) {
    CarrierSettings carrier = carrier(phone.carrier());
    EngineSettings engine = new EngineReader(environment).settings(phone.engine());
    String number = environment.filled(phone.number(), PhoneNumber::is, "+ and 7 to 15 digits");
    String url =
        environment.filled(
            phone.publicUrl(),
            PhoneReader::isPublic,
            "an https URL without a query, or http on this machine");
    List<String> systemTools = phone.at().has("system_tools") ? systemTools(phone) : null;
    Transfer transfer = new TransferReader(phone, environment).settings();
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
        limits(phone.limits()),
        phone.consent(),
        phone.words() == null ? Map.of() : phone.words().said(),
        systemTools,
        log,
        Flag.of(phone.flags()),
        phone.remember() == PhoneKeys.Remembered.CALLER,
        environment.faults());
  }

  // Carrier and engine.

  private @Nullable CarrierSettings carrier(@Nullable StatedValue value) {
    if (value == null) {
      return null;
    }
    boolean inAWord = value.isString();
    PhoneKeys.Carrier table = inAWord ? null : value.bind(PhoneKeys.Carrier.class);
    StatedValue stated = table == null ? value : table.name();
    String name = stated == null || !inAWord && table == null ? null : stated.filledText();
    if (stated == null || name == null || !isKnown(stated, name, CarrierSettings.NAMES)) {
      return null;
    }
    String account = table == null ? null : account(table.accountSid());
    if (table == null || table.accountSid() == null) {
      environment.needs(value, Twilio.ACCOUNT_VARIABLE, PhoneReader::isAccount, ACCOUNT_FORM);
    }
    String token = environment.variable(table == null ? null : table.authTokenEnv());
    if (table == null || table.authTokenEnv() == null) {
      environment.needs(value, Twilio.TOKEN_VARIABLE, any -> true, "");
    }
    String url =
        table == null
            ? null
            : checked(
                table.baseUrl(),
                PhoneReader::isTwilio,
                "https://api.twilio.com, that of one of its regions, or a URL on this machine");
    return new CarrierSettings(name, account, token, url);
  }

  private @Nullable String account(@Nullable StatedValue value) {
    return environment.filled(value, PhoneReader::isAccount, ACCOUNT_FORM);
  }

  /// Whether that name is one of these; reports it otherwise.
  static boolean isKnown(StatedValue value, String name, List<String> known) {
    if (!known.contains(name)) {
      String words = "'" + String.join("', '", known) + "'";
      value.bad(
          known.size() == 1
              ? "must be %s, not '%s'".formatted(words, name)
              : "must be one of %s, not '%s'%s".formatted(words, name, value.closest(name, known)));
    }
    return known.contains(name);
  }

  /// The text of a value, if it is valid; reports it otherwise.
  static @Nullable String checked(
      @Nullable StatedValue value, Predicate<String> good, String form) {
    String text = value == null ? null : value.filledText();
    if (value == null || text == null || good.test(text)) {
      return text;
    }
    value.bad("must be " + form + ", not '" + text + "'");
    return null;
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

  private static List<String> systemTools(PhoneKeys phone) {
    List<String> names = new ArrayList<>();
    for (StatedValue value : phone.systemTools()) {
      String name = value.filledText();
      if (name != null && isKnown(value, name, ToolNames.RESERVED) && !names.contains(name)) {
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

  // Formats.

  private static boolean isAccount(String text) {
    return ACCOUNT.matcher(text.strip()).matches();
  }

  private static boolean isTwilio(String text) {
    if (!isPublic(text)) {
      return false;
    }
    PublicUrl url = PublicUrl.of(text);
    boolean theirs = url.port() < 0 && TWILIO.matcher(url.host()).matches();
    return theirs || PublicUrl.isLoopback(url.host());
  }

  /// Whether it is an `https` URL, or an `http` URL of this machine, without user and query.
  static boolean isPublic(String text) {
    try {
      PublicUrl unused = PublicUrl.of(text);
      return text.equals(text.strip());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
