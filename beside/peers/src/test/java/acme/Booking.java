package acme;

import java.time.LocalDate;

/// A table that is booked.
public record Booking(String table, LocalDate date, int guests, Area area, boolean dogs) {
  /// Where it stands.
  public enum Area {
    WINDOW,
    GARDEN
  }

  /// How it is paid.
  public sealed interface Payment {
    /// By card.
    record Card(String number, int cents) implements Payment {}

    /// In cash.
    record Cash(int cents) implements Payment {}
  }
}
