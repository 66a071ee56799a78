package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.model.ApiKey;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.Carrier.Admission;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.Medium;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The routes for Twilio. Each checks the signature first; without a token to check it, no request
/// is processed.
final class Webhooks {
  static final String VOICE = "/phone/twilio/voice";
  static final String STATUS = "/phone/twilio/status";
  static final String DIAL = "/phone/twilio/dial";
  static final String MEDIA = "/phone/twilio/media";
  static final String RELAY = "/phone/twilio/relay";

  private static final System.Logger LOG = System.getLogger(Twilio.class.getName());
  private static final int LONGEST_BODY = 64 * 1024;
  private static final int LONGEST_VALUE = 512;
  private static final String COMPLETED = "completed";
  private static final String FAILED = "failed";
  private static final Set<String> OVER =
      Set.of(COMPLETED, "busy", FAILED, "no-answer", "canceled");
  // Words in place of a withheld number, and their digits on a keypad.
  private static final Set<String> WITHHELD =
      Set.of(
          "anonymous",
          "restricted",
          "blocked",
          "unknown",
          "unavailable",
          "+266696687",
          "+7378742833",
          "+2562533",
          "+8656696",
          "+86282452253");
  private static final Set<String> OWN_FIELDS =
      Set.of("CallSid", "AccountSid", "From", "To", "Direction", "CallStatus", "ApiVersion");
  private static final Pattern CODE = Pattern.compile("[0-9]{1,6}");
  private static final Pattern WORD = Pattern.compile("[a-z-]{1,32}");
  // A number or a SIP address. The prompt may contain it, so it must not contain sentences.
  private static final Pattern CALLER = Pattern.compile("[!-~]{1,128}");

  private final @Nullable ApiKey token;
  private final PublicUrl url;
  private final CallSocket.Account account;
  private final Carrier.Switch calls;
  private final MediaTokens tokens;

  /// @param token null if none is configured
  Webhooks(@Nullable ApiKey token, PublicUrl url, CallSocket.Account account) {
    this.token = token;
    this.url = url;
    this.account = account;
    calls = account.calls();
    tokens = account.tokens();
  }

  List<Mount> mounts() {
    return List.of(
        new Mount.Http("POST", VOICE, Mount.Check.OWN, (in, out) -> answer(in, out, this::voice)),
        new Mount.Http("POST", STATUS, Mount.Check.OWN, (in, out) -> answer(in, out, this::status)),
        new Mount.Http("POST", DIAL, Mount.Check.OWN, (in, out) -> answer(in, out, this::dial)),
        new Mount.Socket(MEDIA, Mount.Check.OWN, new Sockets(MediaSocket::new)),
        new Mount.Socket(RELAY, Mount.Check.OWN, new Sockets(RelaySocket::new)));
  }

  /// The answer to a signed request for a call, empty for none.
  private interface Route {
    String answer(String call, FormFields form);
  }

  private void answer(Mount.Request request, Mount.Response response, Route route) {
    FormFields form =
        request.body().length() > LONGEST_BODY ? null : FormFields.parse(request.body());
    String call = form == null ? null : form.single("CallSid");
    if (request.body().length() > LONGEST_BODY) {
      send(response, 413, "The request is too large.");
    } else if (token == null) {
      send(response, 503, Twilio.NO_TOKEN);
    } else if (form == null
        || !Signature.holds(token, request, url.spellings(request.target()), form)) {
      send(response, 403, "Invalid signature");
    } else if (call == null || !Twilio.isCall(call)) {
      send(response, 400, "CallSid is not the id of a call.");
    } else {
      String twiml = route.answer(call, form);
      if (twiml.isEmpty()) {
        response.send(204, Map.of(), "");
      } else {
        response.send(200, Map.of("Content-Type", Twiml.TYPE), twiml);
      }
    }
  }

  private static void send(Mount.Response response, int status, String sentence) {
    response.send(status, Map.of("Content-Type", "text/plain; charset=utf-8"), sentence);
  }

  private String voice(String call, FormFields form) {
    return switch (calls.arrived(arrival(call, form))) {
      case Admission.Taken(Medium medium) -> connect(call, medium);
      case Admission.UnknownNumber unknown -> Twiml.reject(false);
      case Admission.Busy(String words) ->
          words.isEmpty() ? Twiml.reject(true) : Twiml.sayAndHangUp(words);
    };
  }

  private String connect(String call, Medium medium) {
    String announced = tokens.announce(call);
    if (announced == null) {
      return Twiml.hangUp();
    }
    return switch (medium) {
      case Medium.Audio audio -> Twiml.connect(url.http(DIAL), url.socket(MEDIA), announced);
      case Medium.Text text -> Twiml.relay(url.http(DIAL), url.socket(RELAY), announced, text);
    };
  }

  private String status(String call, FormFields form) {
    postStatus(call, form);
    return "";
  }

  /// Whether the call has ended.
  private boolean postStatus(String call, FormFields form) {
    String status = word(form, "CallStatus");
    if (status.isEmpty()) {
      return false;
    }
    calls.post(call, new CarrierEvent.Status(status));
    if (OVER.contains(status)) {
      tokens.end(call);
    }
    return OVER.contains(status);
  }

  /// A transfer has ended, or the socket was closed: a call that continues is connected again.
  private String dial(String call, FormFields form) {
    String dialed = word(form, "DialCallStatus");
    if (!dialed.isEmpty()) {
      calls.post(call, new CarrierEvent.Dialed(dialed));
    }
    String session = word(form, "SessionStatus");
    boolean gone = session.equals(COMPLETED) || session.equals("ended"); // the caller, or our side
    if (postOver(call, form) || dialed.equals(COMPLETED) || gone) {
      tokens.end(call);
      return Twiml.hangUp();
    }
    if (session.equals(FAILED) && !mayRetry(call, form)) {
      calls.post(call, new CarrierEvent.Status(FAILED));
      tokens.end(call);
      return Twiml.hangUp();
    }
    return calls.arrived(arrival(call, form)) instanceof Admission.Taken(Medium medium)
        ? connect(call, medium)
        : Twiml.hangUp();
  }

  /// Whether a call whose relay session has failed gets another one.
  private boolean mayRetry(String call, FormFields form) {
    String code = value(form, "ErrorCode");
    LOG.log(
        System.Logger.Level.WARNING,
        "a session of ConversationRelay failed, code "
            + (CODE.matcher(code).matches() ? code : "unknown"));
    return tokens.retry(call);
  }

  private boolean postOver(String call, FormFields form) {
    return OVER.contains(word(form, "CallStatus")) && postStatus(call, form);
  }

  private static String word(FormFields form, String name) {
    String value = form.single(name);
    return value != null && WORD.matcher(value).matches() ? value : "";
  }

  private static Carrier.Arrival arrival(String call, FormFields form) {
    String from = value(form, "From");
    String direction = word(form, "Direction");
    Map<String, String> parameters = new HashMap<>();
    for (String name : form.fields().keySet()) {
      String value = form.single(name);
      if (value != null && !OWN_FIELDS.contains(name)) {
        parameters.put(name, value);
      }
    }
    return new Carrier.Arrival(
        call,
        isWithheld(from) ? "" : from,
        value(form, "To"),
        direction.isEmpty() ? "inbound" : direction,
        parameters);
  }

  private static boolean isWithheld(String from) {
    return WITHHELD.contains(from.toLowerCase(Locale.ROOT)) || !CALLER.matcher(from).matches();
  }

  private static String value(FormFields form, String name) {
    String value = form.single(name);
    return value == null || value.length() > LONGEST_VALUE ? "" : value;
  }

  /// Accepts signed sockets.
  private final class Sockets implements Mount.Acceptor {
    private final Supplier<CallSocket.Protocol> protocol;

    Sockets(Supplier<CallSocket.Protocol> protocol) {
      this.protocol = protocol;
    }

    @Override
    public Mount.@Nullable Refusal refusal(Mount.Request request) {
      if (token == null) {
        return new Mount.Refusal(503, Twilio.NO_TOKEN);
      }
      List<String> urls = url.socketSpellings(request.target());
      return Signature.holds(token, request, urls, FormFields.EMPTY)
          ? null
          : new Mount.Refusal(403, "Invalid signature");
    }

    @Override
    public Mount.Listener open(Mount.Request request, Mount.Channel channel) {
      return new CallSocket(channel, account, protocol.get());
    }
  }
}
