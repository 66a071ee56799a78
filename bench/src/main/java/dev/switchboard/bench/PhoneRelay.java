package dev.switchboard.bench;

import dev.switchboard.http.DirectSockets;
import dev.switchboard.provider.ModelNames;
import io.javalin.Javalin;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsConnectContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// The least that can stand between a carrier and an engine: it puts the base64 of one's messages
/// into those of the other, and knows nothing else. Made of the libraries that the phone is made
/// of.
final class PhoneRelay {
  private static final String LEG = "leg";
  private static final String MEDIA = "{\"event\":\"media\"";
  private static final String PAYLOAD = "\"payload\":\"";
  private static final String AUDIO = "{\"type\":\"response.output_audio.delta\"";
  private static final String DELTA = "\"delta\":\"";

  private final OkHttpClient client;
  private final Request request;
  private final Javalin server;

  /// @param engine its base URL
  PhoneRelay(String engine) {
    Dispatcher dispatcher = new Dispatcher(Executors.newVirtualThreadPerTaskExecutor());
    dispatcher.setMaxRequests(Integer.MAX_VALUE);
    dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
    client =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .pingInterval(Duration.ofSeconds(20))
            .socketFactory(DirectSockets.INSTANCE)
            .build();
    request =
        new Request.Builder()
            .url("http" + engine.substring(2) + "/realtime?model=" + ModelNames.REALTIME)
            .build();
    server =
        Javalin.create(config -> {
          config.startup.showJavalinBanner = false;
          config.concurrency.useVirtualThreads = true;
          config.routes.ws("/phone/twilio/media", this::sockets);
        });
    server.start("127.0.0.1", 0);
  }

  int port() {
    return server.port();
  }

  private void sockets(WsConfig config) {
    config.onConnect(ctx -> ctx.attribute(LEG, leg(ctx)));
    config.onMessage(ctx -> {
      String text = ctx.message();
      if (text.startsWith(MEDIA)) {
        boolean unused =
            Objects.requireNonNull(ctx.<WebSocket>attribute(LEG))
                .send(
                    "{\"type\":\"input_audio_buffer.append\",\"audio\":\""
                        + between(text, PAYLOAD)
                        + "\"}");
      }
    });
    config.onClose(ctx -> Objects.requireNonNull(ctx.<WebSocket>attribute(LEG)).cancel());
  }

  private WebSocket leg(WsConnectContext ctx) {
    Session carrier = ctx.session;
    carrier.setIdleTimeout(Duration.ofMinutes(1));
    return client.newWebSocket(
        request,
        new WebSocketListener() {
          @Override
          public void onMessage(WebSocket from, String text) {
            if (text.startsWith(AUDIO)) {
              carrier.sendText(
                  "{\"event\":\"media\",\"streamSid\":\"MZ1\",\"media\":{\"payload\":\""
                      + between(text, DELTA)
                      + "\"}}",
                  Callback.NOOP);
            }
          }
        });
  }

  private static String between(String text, String before) {
    int from = text.indexOf(before) + before.length();
    return text.substring(from, text.indexOf('"', from));
  }
}
