package acme;

import dev.switchboard.phone.testing.RealtimeSimulator;
import dev.switchboard.phone.testing.Reply;
import dev.switchboard.phone.testing.TwilioSimulator;

/// Starts a simulated carrier and a simulated speech model.
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    try (TwilioSimulator carrier = TwilioSimulator.start(1);
        RealtimeSimulator model =
            RealtimeSimulator.builder().script(view -> Reply.say("Hello.")).start()) {
      System.out.println(carrier.url().isEmpty() || model.url().isEmpty() ? "no URL" : "ready");
    }
    System.exit(0);
  }
}
