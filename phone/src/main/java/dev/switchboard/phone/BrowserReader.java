package dev.switchboard.phone;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.browser.BrowserCarrier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads calls from the browser, which need no account.
final class BrowserReader implements CarrierReader {
  @Override
  public String name() {
    return "browser";
  }

  @Override
  public boolean isTelephone() {
    return false;
  }

  @Override
  public CarrierSettings read(
      StatedValue value, PhoneKeys.@Nullable Carrier table, PhoneEnvironment environment) {
    return new BrowserSettings();
  }

  private record BrowserSettings() implements CarrierSettings {
    @Override
    public Account account(Function<String, @Nullable String> environment) {
      return new BrowserAccount();
    }
  }

  private record BrowserAccount() implements CarrierSettings.Account {
    @Override
    public Carrier carrier() {
      return BrowserCarrier.of();
    }
  }
}
