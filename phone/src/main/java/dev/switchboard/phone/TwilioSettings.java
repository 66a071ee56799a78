package dev.switchboard.phone;

import dev.switchboard.model.ApiKey;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.twilio.Twilio;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a file states of its account at Twilio.
///
/// @param id of the account, null for the one in the usual environment variable
/// @param tokenEnv the environment variable with its token, null for the usual one
/// @param baseUrl of the REST API, null for Twilio's own
record TwilioSettings(@Nullable String id, @Nullable String tokenEnv, @Nullable String baseUrl)
    implements CarrierSettings {
  @Override
  public Account account(Function<String, @Nullable String> environment) {
    String account = id == null ? environment.apply(Twilio.ACCOUNT_VARIABLE) : id;
    String variable = Objects.requireNonNullElse(tokenEnv, Twilio.TOKEN_VARIABLE);
    String token = environment.apply(variable);
    if (account == null || token == null) {
      throw new IllegalArgumentException("the phone needs an account of Twilio and its token");
    }
    return new TwilioAccount(account, ApiKey.of(token, variable).text(), baseUrl);
  }

  private record TwilioAccount(String id, String token, @Nullable String baseUrl)
      implements Account {
    @Override
    public Carrier carrier() {
      Twilio twilio = Twilio.of(id, token);
      return baseUrl == null ? twilio : twilio.withBaseUrl(baseUrl);
    }
  }
}
