package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.model.ApiKey;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.time.Time;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/// A Twilio account: calls to its numbers arrive by signed webhooks, their audio by Media Streams,
/// or their words by ConversationRelay.
///
/// Without an account and its token, requests are answered with 503, and no orders are sent.
public final class Twilio implements Carrier {
  static final String NO_TOKEN = "No account of Twilio is configured.";

  private static final String BASE_URL = "https://api.twilio.com";

  /// The usual environment variable of the account.
  public static final String ACCOUNT_VARIABLE = "TWILIO_ACCOUNT_SID";

  /// The usual environment variable of its token.
  public static final String TOKEN_VARIABLE = "TWILIO_AUTH_TOKEN";

  private static final int LONGEST_TWIML = 4_000;
  private static final Pattern ACCOUNT = Pattern.compile("AC[0-9a-fA-F]{32}");
  private static final Pattern CALL = Pattern.compile("CA[0-9a-fA-F]{32}");
  // Including its regions, such as api.dublin.ie1.twilio.com.
  private static final Pattern HOST =
      Pattern.compile("api(\\.[a-z0-9-]+\\.[a-z0-9-]+)?\\.twilio\\.com");
  private static final Answer UNCONFIGURED = new Answer(NO_TOKEN);
  private static final Answer NO_CALL = new Answer("That is not the id of a call.");

  private final @Nullable String account;
  private final @Nullable ApiKey token;
  private final HttpUrl base;
  private final Time time;
  private final @Nullable CallOrders orders;
  private final LongAdder dropped = new LongAdder();
  // The public URL, once there are routes.
  private final AtomicReference<@Nullable PublicUrl> reached = new AtomicReference<>();

  private Twilio(@Nullable String account, @Nullable ApiKey token, HttpUrl base, Time time) {
    this.account = account;
    this.token = token;
    this.base = base;
    this.time = time;
    orders =
        account == null || token == null ? null : new CallOrders(base, account, token.text(), time);
  }

  /// The account in `TWILIO_ACCOUNT_SID`, with the token in `TWILIO_AUTH_TOKEN`. A phone is not
  /// built while one of them is not set.
  ///
  /// @throws IllegalArgumentException when one of them is set and invalid
  public static Twilio fromEnv() {
    return from(System.getenv());
  }

  static Twilio from(Map<String, String> environment) {
    String account = stated(environment.get(ACCOUNT_VARIABLE));
    String token = stated(environment.get(TOKEN_VARIABLE));
    return new Twilio(
        account == null
            ? null
            : account(account, "environment variable '" + ACCOUNT_VARIABLE + "': "),
        token == null ? null : ApiKey.of(token, TOKEN_VARIABLE),
        HttpUrl.get(BASE_URL),
        Time.SYSTEM);
  }

  private static @Nullable String stated(@Nullable String value) {
    return value == null || value.isBlank() ? null : value;
  }

  /// That account.
  ///
  /// @param accountSid its id, `AC` and 32 hexadecimal digits
  /// @param authToken its primary token, by which Twilio signs
  /// @throws IllegalArgumentException when one is invalid; the token is not quoted
  public static Twilio of(String accountSid, String authToken) {
    return new Twilio(
        account(accountSid, ""), ApiKey.of(authToken), HttpUrl.get(BASE_URL), Time.SYSTEM);
  }

  private static String account(String text, String where) {
    if (!ACCOUNT.matcher(text.strip()).matches()) {
      throw new IllegalArgumentException(
          where + "an account of Twilio is AC and 32 hexadecimal digits");
    }
    return text.strip();
  }

  /// The account, with another address of its API: a host of Twilio by `https`, or this machine.
  ///
  /// @param url the part before `/2010-04-01`, such as `http://127.0.0.1:4010`
  /// @throws IllegalArgumentException when it is another
  public Twilio withBaseUrl(String url) {
    HttpUrl parsed = HttpUrl.parse(url.strip());
    boolean bare =
        parsed != null
            && parsed.username().isEmpty()
            && parsed.password().isEmpty()
            && parsed.query() == null
            && parsed.fragment() == null;
    if (parsed == null || !bare || !isAllowed(parsed)) {
      throw new IllegalArgumentException(
          "Twilio's base_url is https://api.twilio.com, that of one of its regions, or on"
              + " loopback");
    }
    return new Twilio(account, token, parsed, time);
  }

  private static boolean isAllowed(HttpUrl url) {
    String host = url.host().contains(":") ? "[" + url.host() + "]" : url.host();
    boolean theirs = url.isHttps() && url.port() == 443 && HOST.matcher(host).matches();
    return theirs || PublicUrl.isLoopback(host);
  }

  /// The account, with that clock.
  public Twilio withTime(Time clock) {
    return new Twilio(account, token, base, clock);
  }

  /// Whether that is a valid id of a call.
  static boolean isCall(String id) {
    return CALL.matcher(id).matches();
  }

  @Override
  public String name() {
    return "twilio";
  }

  /// The environment variables of [#fromEnv] that are not set.
  @Override
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (account == null) {
      missing.add("environment variable '" + ACCOUNT_VARIABLE + "' is not set");
    }
    if (token == null) {
      missing.add("environment variable '" + TOKEN_VARIABLE + "' is not set");
    }
    return missing;
  }

  /// @throws IllegalArgumentException when that is not a public URL
  /// @throws IllegalStateException when there are routes for another one
  @Override
  public List<Mount> routes(String publicUrl, Switch calls) {
    PublicUrl url = PublicUrl.of(publicUrl);
    PublicUrl before = reached.compareAndExchange(null, url);
    if (before != null && !before.equals(url)) {
      throw new IllegalStateException("a Twilio account can have one public URL only");
    }
    MediaTokens tokens = new MediaTokens(time, new SecureRandom());
    CallSocket.Account sockets = new CallSocket.Account(tokens, calls, time, dropped);
    return new Webhooks(account == null ? null : token, url, sockets).mounts();
  }

  /// The voice URL to set for the number at Twilio.
  ///
  /// @throws IllegalArgumentException when that is not a public URL
  @Override
  public String voiceUrl(String publicUrl) {
    return PublicUrl.of(publicUrl).http(Webhooks.VOICE);
  }

  /// Checks that Twilio accepts the account and its token, that the number's voice URL is this one,
  /// and that the process at that URL accepts the signature.
  @Override
  public List<Finding> check(String number, String publicUrl) {
    if (account == null || token == null) {
      return List.of(new Finding("keys", false, NO_TOKEN));
    }
    return new NumberCheck(base, account, token, PublicUrl.of(publicUrl)).of(number);
  }

  /// The number of dropped messages of sockets: invalid, unexpected, or too long.
  public long dropped() {
    return dropped.sum();
  }

  /// @throws IllegalStateException before there are routes, to which Twilio reports the outcome
  @Override
  public Answer transfer(String call, String number, String from) {
    PublicUrl url = reached.get();
    if (url == null) {
      throw new IllegalStateException(
          "a transfer needs the carrier's routes, which report its end");
    }
    if (!PhoneNumber.is(number)) {
      return new Answer("Invalid phone number format");
    }
    String shown = PhoneNumber.is(from) ? from : null;
    return give(call, Twiml.dial(number, shown, url.http(Webhooks.DIAL)), false, false);
  }

  @Override
  public Answer hangUp(String call) {
    return give(call, new FormBody.Builder().add("Status", "completed").build(), true, true);
  }

  @Override
  public Answer sayAndHangUp(String call, String words) {
    return give(call, Twiml.sayAndHangUp(words), false, true);
  }

  private Answer give(String call, String twiml, boolean twice, boolean ends) {
    return twiml.length() > LONGEST_TWIML
        ? new Answer("The words are too long for Twilio.")
        : give(call, new FormBody.Builder().add("Twiml", twiml).build(), twice, ends);
  }

  private Answer give(String call, FormBody form, boolean twice, boolean ends) {
    if (orders == null) {
      return UNCONFIGURED;
    }
    return isCall(call) ? orders.give(call, form, twice, ends) : NO_CALL;
  }

  /// The account's name, without its token.
  @Override
  public String toString() {
    return "Twilio[" + account + "]";
  }
}
