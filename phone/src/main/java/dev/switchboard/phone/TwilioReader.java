package dev.switchboard.phone;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.carrier.twilio.Twilio;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads an account of Twilio. The carrier validates its settings again.
final class TwilioReader implements CarrierReader {
  private static final Pattern ACCOUNT = Pattern.compile("AC[0-9a-fA-F]{32}");
  private static final Pattern HOST =
      Pattern.compile("api(\\.[a-z0-9-]+\\.[a-z0-9-]+)?\\.twilio\\.com");

  private static final String ACCOUNT_FORM = "AC and 32 hexadecimal digits";

  @Override
  public String name() {
    return "twilio";
  }

  @Override
  public CarrierSettings read(
      StatedValue value, PhoneKeys.@Nullable Carrier table, PhoneEnvironment environment) {
    StatedValue stated = table == null ? null : table.accountSid();
    String account = environment.filled(stated, TwilioReader::isAccount, ACCOUNT_FORM);
    if (stated == null) {
      environment.needs(value, Twilio.ACCOUNT_VARIABLE, TwilioReader::isAccount, ACCOUNT_FORM);
    }
    StatedValue variable = table == null ? null : table.authTokenEnv();
    String token = environment.variable(variable);
    if (variable == null) {
      environment.needs(value, Twilio.TOKEN_VARIABLE, any -> true, "");
    }
    String url =
        PhoneValues.checked(
            table == null ? null : table.baseUrl(),
            TwilioReader::isTwilio,
            "https://api.twilio.com, that of one of its regions, or a URL on this machine");
    return new TwilioSettings(account, token, url);
  }

  private static boolean isAccount(String text) {
    return ACCOUNT.matcher(text.strip()).matches();
  }

  private static boolean isTwilio(String text) {
    if (!PhoneValues.isPublic(text)) {
      return false;
    }
    PublicUrl url = PublicUrl.of(text);
    boolean theirs = url.port() < 0 && HOST.matcher(url.host()).matches();
    return theirs || PublicUrl.isLoopback(url.host());
  }
}
