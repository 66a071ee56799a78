package acme;

import dev.switchboard.phone.Phone;
import dev.switchboard.phone.carrier.twilio.Twilio;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;

/// Sets up a phone.
final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Phone phone =
        Phone.builder()
            .carrier(Twilio.fromEnv())
            .number("+15550001234")
            .publicUrl("https://phone.example.com")
            .engine(OpenAiRealtime.fromEnv())
            .build();
    System.out.println(phone.getClass().getSimpleName());
  }
}
