package dev.switchboard.phone;

import dev.switchboard.agent.Agent;
import dev.switchboard.mount.Mount;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A phone number with its carrier and its engine, a speech model. An agent answers its calls.
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
/// Thread-safe.
public final class Phone {
  private static final String SERVER = "dev/switchboard/server/Server.class";
  private static final Duration ENGINE = Duration.ofSeconds(20);

  private final Carrier carrier;
  private final String publicUrl;
  private final Engine engine;
  private final CallSettings settings;
  private final @Nullable Path log;
  private final Time time;
  private final CallHooks hooks;
  private final boolean lacksDestinations;

  Phone(PhoneBuilder builder, Carrier carrier, String number, String publicUrl, Engine engine) {
    this.carrier = carrier;
    this.publicUrl = publicUrl;
    this.engine = engine;
    settings = builder.settings(number);
    log = builder.log;
    time = builder.time;
    hooks = builder.hooks;
    lacksDestinations = builder.lacksDestinations();
  }

  /// A builder.
  public static PhoneBuilder builder() {
    return new PhoneBuilder();
  }

  /// Its number; empty for calls from the browser.
  public String number() {
    return settings.number();
  }

  /// Answers calls by that agent, on that port, until the server is closed. It listens on all
  /// addresses of the machine; the carrier signs its requests. People see the agent's conversations
  /// with a token of the file `.switchboard/tokens`; `switchboard token add` creates one, this
  /// method does not. An agent without a store only answers the phone, and people see nothing of
  /// it. Needs the artifact `switchboard-server` beside `switchboard-phone`.
  ///
  /// @return the running server
  /// @throws IllegalStateException when that artifact is missing
  public AutoCloseable serve(Agent agent, int port) {
    if (Phone.class.getClassLoader().getResource(SERVER) == null) {
      throw new IllegalStateException(
          "Phone.serve needs the artifact dev.switchboard:switchboard-server, which is not on the"
              + " class path; or mount Phone.answeredBy(agent).routes() in a server of your own");
    }
    Calls calls = answeredBy(agent);
    Server.Builder builder =
        Server.builder(Tokens.open(Tokens.DEFAULT_FILE))
            .port(port)
            .host("0.0.0.0")
            .mount(calls.routes().toArray(Mount[]::new))
            .calls(calls.pages());
    Server server = (agent.store() == null ? builder : builder.agents(agent)).start();
    return () -> {
      calls.close();
      server.close();
    };
  }

  /// Calls to that number, answered by that agent; add their routes to your own server.
  public Calls answeredBy(Agent agent) {
    return Calls.of(List.of(new Calls.Answering(this, agent)));
  }

  /// A sentence for each thing that its owner probably did not intend.
  public List<String> warnings() {
    return lacksDestinations
        ? List.of(
            "the phone has no destinations, so the model cannot transfer calls: name them by"
                + " 'transfer', or leave the tool out, system_tools = [\"end_call\"]")
        : List.of();
  }

  /// The URL that the carrier requests for an incoming call.
  public String voiceUrl() {
    return carrier.voiceUrl(publicUrl);
  }

  /// Checks whether calls can arrive and be answered: at the carrier, at the public URL, where
  /// [Calls] must be served meanwhile, and at the engine. Waits up to 20 seconds for each.
  ///
  /// @param tools for the engine's session
  public List<Carrier.Finding> check(List<ToolDefinition> tools) {
    List<Carrier.Finding> findings = new ArrayList<>(carrier.check(number(), publicUrl));
    findings.add(engineCheck(tools));
    return findings;
  }

  private Carrier.Finding engineCheck(List<ToolDefinition> tools) {
    CompletableFuture<Carrier.Finding> finding = new CompletableFuture<>();
    Engine.Setup setup = new Engine.Setup("Say nothing.", tools, List.of());
    EngineSession session =
        engine.open(
            setup,
            event -> {
              if (event instanceof EngineEvent.Ready) {
                finding.complete(found(true, engine.name() + " answers."));
              } else if (event
                  instanceof EngineEvent.Lost(boolean fatal, String code, String why)) {
                finding.complete(found(false, why.replaceFirst("\\.$", "") + " (" + code + ")."));
              }
            });
    try {
      return finding.get(ENGINE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return found(false, engine.name() + " does not answer: check the network and its base_url.");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return found(false, "The check was interrupted.");
    } finally {
      session.close();
    }
  }

  private static Carrier.Finding found(boolean fine, String sentence) {
    return new Carrier.Finding("engine", fine, sentence);
  }

  /// Whether the agent's own model replies on its calls, as with
  /// [dev.switchboard.phone.engine.relay.ConversationRelay].
  public boolean needsModel() {
    return engine.conversation() == Engine.Keeper.AGENT;
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

  CallHooks hooks() {
    return hooks;
  }

  Time time() {
    return time;
  }
}
