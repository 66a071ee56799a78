package dev.switchboard.phone;

import dev.switchboard.agent.Agent;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A phone number, who brings its calls in, and what hears and speaks on them: an agent answers it.
///
/// ```java
/// Phone phone =
///     Phone.builder()
///         .carrier(Twilio.fromEnv())
///         .number("+15550001234")
///         .publicUrl("https://phone.example.com")
///         .engine(OpenAiRealtime.fromEnv())
///         .build();
/// phone.serve(shop, 8000);
/// ```
///
/// Safe for use by several threads.
public final class Phone {
  private final Carrier carrier;
  private final String publicUrl;
  private final Engine engine;
  private final CallSettings settings;
  private final @Nullable Path log;
  private final Time time;

  Phone(PhoneBuilder builder, Carrier carrier, String publicUrl, Engine engine) {
    this.carrier = carrier;
    this.publicUrl = publicUrl;
    this.engine = engine;
    settings = builder.settings();
    log = builder.log;
    time = builder.time;
  }

  /// A phone to set up.
  public static PhoneBuilder builder() {
    return new PhoneBuilder();
  }

  /// The number that it answers.
  public String number() {
    return settings.number();
  }

  /// Answers calls by that agent, on that port, until the server is closed. It listens on all
  /// addresses of the machine; people need a token, which is made at the first start, and the
  /// carrier signs its requests. Needs the module `switchboard-server`.
  ///
  /// @return the server, which runs
  public AutoCloseable serve(Agent agent, int port) {
    Calls calls = answeredBy(agent);
    Server server =
        Server.builder(Tokens.open(Tokens.DEFAULT_FILE))
            .agents(agent)
            .port(port)
            .host("0.0.0.0")
            .mount(calls.routes().toArray(Mount[]::new))
            .start();
    return () -> {
      calls.close();
      server.close();
    };
  }

  /// Calls to that number, answered by that agent; their routes are for a server of one's own.
  public Calls answeredBy(Agent agent) {
    return Calls.of(List.of(new Calls.Answering(this, agent)));
  }

  Carrier carrier() {
    return carrier;
  }

  String publicUrl() {
    return publicUrl;
  }

  Engine engine() {
    return engine;
  }

  CallSettings settings() {
    return settings;
  }

  @Nullable Path log() {
    return log;
  }

  Time time() {
    return time;
  }
}
