package dev.switchboard.phone.carrier;

import dev.switchboard.mount.Mount;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Who brings calls in and takes orders for them.
///
/// Safe for use by several threads; orders wait for the carrier's answer.
public interface Carrier {
  /// Its name, as in a file: `twilio`.
  String name();

  /// The routes and sockets that the carrier calls.
  ///
  /// @param publicUrl where the carrier reaches them, such as `https://phone.example.com`
  List<Mount> routes(String publicUrl, Switch calls);

  /// Has the carrier call a number and connect the caller to it.
  ///
  /// @param call the carrier's id of the call
  /// @param from the number that is shown there
  Answer transfer(String call, String number, String from);

  /// Ends a call. One that is over already counts as ended.
  Answer hangUp(String call);

  /// Speaks words with the carrier's own voice, and ends the call after them.
  Answer sayAndHangUp(String call, String words);

  /// The URL that the carrier is to call when a call comes in, as it is set there for the number.
  ///
  /// @param publicUrl as for [#routes]
  default String voiceUrl(String publicUrl) {
    return publicUrl;
  }

  /// What is found of a number's settings at the carrier, and of the way from there to the routes;
  /// waits for the answers. Nothing where the carrier cannot be asked.
  ///
  /// @param publicUrl as for [#routes]
  default List<Finding> check(String number, String publicUrl) {
    return List.of();
  }

  /// Something that was looked at.
  ///
  /// @param subject a word such as `number`
  /// @param fine whether calls can come in, as far as this goes
  /// @param sentence what was found; where it is not fine also what to do, never a secret
  record Finding(String subject, boolean fine, String sentence) {}

  /// What the carrier answered to an order.
  ///
  /// @param error why it was not taken, a sentence; null where it was
  record Answer(@Nullable String error) {
    /// The order was taken.
    public static final Answer TAKEN = new Answer(null);

    /// Whether the order was taken.
    public boolean taken() {
      return error == null;
    }
  }

  /// Where calls go that come in.
  interface Switch {
    /// A call comes in, or is told of again; each signed request of a call may be the first.
    Admission arrived(Arrival arrival);

    /// Takes what a carrier tells of a call that has arrived; nothing for one that is unknown.
    void told(String call, CarrierEvent event);
  }

  /// A call that comes in.
  ///
  /// @param id the carrier's
  /// @param from the number of the caller, empty where it is withheld
  /// @param to the number that was called
  /// @param parameters of the carrier's own, by their names
  record Arrival(
      String id, String from, String to, String direction, Map<String, String> parameters) {
    public Arrival {
      parameters = Map.copyOf(parameters);
    }
  }

  /// Whether a call is taken.
  sealed interface Admission {
    /// It is: its audio is to be connected.
    record Taken() implements Admission {}

    /// Nobody answers at that number.
    record UnknownNumber() implements Admission {}

    /// As many calls are on as there may be, or the process ends.
    ///
    /// @param words that the caller is told, empty for the busy signal
    record Busy(String words) implements Admission {}
  }
}
