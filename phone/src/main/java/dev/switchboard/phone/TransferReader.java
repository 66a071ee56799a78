package dev.switchboard.phone;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.PhoneNumber;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Reads the key `phone.transfer` of a file. Without destinations the model has no tool for
/// transfers, since a caller could make it dial numbers that cost money.
final class TransferReader {
  private static final Pattern BEGINNING = Pattern.compile("\\+[0-9]{1,15}");
  private static final String TRANSFER = ToolNames.RESERVED.getFirst();
  private static final String REMEDY =
      "name destinations, such as transfer = { to = { support = \"+15550001111\" } }";

  private final PhoneKeys phone;
  private final PhoneEnvironment environment;

  TransferReader(PhoneKeys phone, PhoneEnvironment environment) {
    this.phone = phone;
    this.environment = environment;
  }

  /// The destinations.
  Transfer settings() {
    PhoneKeys.Transfer table = phone.transfer();
    Transfer settings = table == null ? Transfer.NONE : settings(table);
    if (!settings.offersAny()) {
      for (StatedValue name : phone.systemTools()) {
        if (name.isString() && TRANSFER.equals(name.text())) {
          name.bad("names '%s', which needs destinations: %s".formatted(TRANSFER, REMEDY));
        }
      }
    }
    return settings;
  }

  /// Warns of a file whose model cannot transfer calls, unless the file says so.
  static void warn(StatedValue phone, Transfer settings) {
    if (!settings.offersAny() && !phone.has("system_tools")) {
      phone.warning(
          FaultClass.NOT_YET,
          "%s.transfer has no destinations, so the model cannot transfer calls: %s, or system_tools = [\"end_call\"]"
              .formatted(phone.path(), REMEDY));
    }
  }

  private Transfer settings(PhoneKeys.Transfer table) {
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
    for (StatedValue value : table.allow()) {
      String beginning =
          environment.filled(
              value,
              text -> BEGINNING.matcher(text).matches(),
              "the beginning of a number, such as +49");
      if (beginning != null) {
        allow.add(beginning);
      }
    }
    checkRaw(table);
    boolean raw = requireNonNullElse(table.raw(), to.isEmpty());
    return new Transfer(to, allow, raw && !allow.isEmpty());
  }

  private static void checkRaw(PhoneKeys.Transfer table) {
    boolean named = !table.to().isEmpty();
    boolean allows = !table.allow().isEmpty();
    if (!named && Boolean.FALSE.equals(table.raw())) {
      table
          .at()
          .member("raw")
          .bad("must not be false without 'to'; without transfers: system_tools = [\"end_call\"]");
    } else if (!allows && Boolean.TRUE.equals(table.raw())) {
      table
          .at()
          .member("raw")
          .bad(
              "needs 'allow', the beginnings of the numbers that the model may state, such as"
                  + " [\"+49\"]");
    } else if (named && allows && table.raw() == null) {
      table
          .at()
          .member("allow")
          .warning(
              FaultClass.NOT_YET,
              table.at().path() + ".allow has no effect without raw = true, beside 'to'");
    }
  }
}
