package dev.switchboard.bench;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.Phone;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.carrier.twilio.Twilio;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.GuardedHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;

/// A process that answers calls, with nothing else in it: the phone, or the relay. It says on
/// demand how much processor time and heap it has used.
final class PhoneServer {
  static final String ACCOUNT = "AC" + "0a".repeat(16);
  static final String TOKEN = "a_token_of_the_account";
  static final String NUMBER = "+15550001234";
  static final String URL = "https://phone.example.com";

  private PhoneServer() {}

  /// Serves until its input ends.
  ///
  /// @param args `ours` or `relay`; the engine's base URL; host and port of the webhooks
  public static void main(String[] args) throws Exception {
    int port = args[0].equals("relay") ? new PhoneRelay(args[1]).port() : phone(args[1], args[2]);
    System.out.println(port);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(line.equals("heap") ? heap() : ProcessorClock.nanos());
    }
    System.exit(0);
  }

  static long heap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static int phone(String engine, String webhooks) throws IOException {
    Agent agent =
        Agent.builder("Desk")
            .prompt("You take calls.")
            .store(new InProcessConversations())
            .tools(
                wait("wait_10_ms", Duration.ofMillis(10)),
                wait("wait_3_s", Duration.ofSeconds(3)),
                wait("wait_30_s", Duration.ofSeconds(30)),
                webhook("slow", webhooks),
                webhook("broken", webhooks))
            .build();
    Phone phone =
        Phone.builder()
            .carrier(Twilio.of(ACCOUNT, TOKEN))
            .number(NUMBER)
            .publicUrl(URL)
            .limits(new Limits(Duration.ofHours(1), 100_000, Duration.ofHours(1), Duration.ZERO))
            .engine(OpenAiRealtime.of("sk-test").withBaseUrl(engine))
            .build();
    return Server.builder(Tokens.open(Files.createTempDirectory("phone").resolve("tokens")))
        .agents(agent)
        .port(0)
        .mount(phone.answeredBy(agent).routes().toArray(Mount[]::new))
        .start()
        .port();
  }

  private static Tool wait(String name, Duration length) {
    return Tool.dynamic(name)
        .mode(ToolMode.READ)
        .timeout(Duration.ofSeconds(60))
        .reassurance(new Reassurance("One moment, please.", Duration.ofSeconds(1)))
        .handler((arguments, context) -> {
          context.time().pause(new Time.Signal(), length);
          return "{\"status\":\"shipped\"}";
        });
  }

  private static Tool webhook(String name, String hostAndPort) {
    return Tool.dynamic(name)
        .mode(ToolMode.READ)
        .timeout(Duration.ofSeconds(60))
        .network(GuardedHttp.allowing(hostAndPort))
        .webhook(URI.create("http://" + hostAndPort + "/" + name));
  }
}
