package dev.switchboard.phone.carrier;

import dev.switchboard.mount.Mount;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A carrier, such as Twilio: it delivers calls and executes orders for them.
///
/// Thread-safe; orders block until the carrier answers.
public interface Carrier {
  /// Its name in files: `twilio`.
  String name();

  /// The routes and sockets that the carrier requests.
  ///
  /// @param publicUrl at which the carrier reaches them, such as `https://phone.example.com`
  List<Mount> routes(String publicUrl, Switch calls);

  /// A sentence for each setting that is missing, without which no call can be answered, such as an
  /// environment variable.
  default List<String> missing() {
    return List.of();
  }

  /// Whether its calls have numbers, and it reaches this process at a public URL. Otherwise a call
  /// is to the agent of a name, and its line is one of text.
  default boolean isTelephone() {
    return true;
  }

  /// Transfers a call: the carrier calls a number and connects the caller to it.
  ///
  /// @param call the carrier's id of the call
  /// @param from the number that is shown as the caller
  Answer transfer(String call, String number, String from);

  /// Ends a call. One that has ended already counts as ended.
  Answer hangUp(String call);

  /// Says words with the carrier's own voice, then ends the call.
  Answer sayAndHangUp(String call, String words);

  /// The URL that the carrier must request for an incoming call, as configured there for the
  /// number.
  ///
  /// @param publicUrl as for [#routes]
  default String voiceUrl(String publicUrl) {
    return publicUrl;
  }

  /// Checks a number's settings at the carrier, and its access to the routes; waits for the
  /// answers. Empty if the carrier has no such check.
  ///
  /// @param publicUrl as for [#routes]
  default List<Finding> check(String number, String publicUrl) {
    return List.of();
  }

  /// The result of one check.
  ///
  /// @param subject a word such as `number`
  /// @param fine whether it allows calls to arrive
  /// @param sentence what was found and, if it is not fine, the remedy; never a secret
  record Finding(String subject, boolean fine, String sentence) {}

  /// The carrier's answer to an order.
  ///
  /// @param error why the order was refused, a sentence; null if it was accepted
  record Answer(@Nullable String error) {
    /// The order was accepted.
    public static final Answer TAKEN = new Answer(null);

    /// Whether the order was accepted.
    public boolean taken() {
      return error == null;
    }
  }

  /// Receives incoming calls and their events from a carrier.
  interface Switch {
    /// An incoming call; may be repeated, since any signed request of a call may be the first.
    Admission arrived(Arrival arrival);

    /// An event of a call that has arrived; ignored for an unknown one.
    void post(String call, CarrierEvent event);
  }

  /// An incoming call.
  ///
  /// @param id the carrier's
  /// @param from the number of the caller, empty if it is withheld
  /// @param to the called number; the name of the agent if the carrier has no numbers
  /// @param parameters of the carrier, by name
  /// @param principal the authenticated client to which the call belongs; null for a number
  record Arrival(
      String id,
      String from,
      String to,
      String direction,
      Map<String, String> parameters,
      @Nullable String principal) {
    public Arrival {
      parameters = Map.copyOf(parameters);
    }

    /// A call of a number.
    public Arrival(
        String id, String from, String to, String direction, Map<String, String> parameters) {
      this(id, from, to, direction, parameters, null);
    }
  }

  /// Whether a call is accepted.
  sealed interface Admission {
    /// It is accepted; its line is connected next.
    record Taken(Medium medium) implements Admission {}

    /// No agent answers that number.
    record UnknownNumber() implements Admission {}

    /// The limit of calls is reached, or the process is stopping.
    ///
    /// @param words that the caller hears, empty for the busy signal
    record Busy(String words) implements Admission {}
  }
}
