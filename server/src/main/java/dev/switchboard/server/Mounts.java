package dev.switchboard.server;

import dev.switchboard.mount.Mount;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Principal;
import dev.switchboard.server.access.Problem;
import dev.switchboard.time.Time;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.javalin.websocket.WsContext;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The routes that other modules add.
final class Mounts {
  private static final String REQUEST = "switchboard.mount.request";
  private static final String LISTENER = "switchboard.mount.listener";
  private static final int NOT_TEXT = 1003;

  private final List<Mount> mounts;
  private final Access access;
  private final Streams streams;
  private final Time time;

  Mounts(List<Mount> mounts, Access access, Streams streams, Time time) {
    this.mounts = mounts;
    this.access = access;
    this.streams = streams;
    this.time = time;
  }

  void install(RoutesConfig routes) {
    for (Mount mount : mounts) {
      switch (mount) {
        case Mount.Http http ->
            routes.addEndpoint(
                Endpoint.create(HandlerType.findOrCreate(http.method()), http.path())
                    .handler(ctx -> handle(http, ctx)));
        case Mount.Socket socket -> install(socket, routes);
      }
    }
  }

  private void handle(Mount.Http http, Context ctx) throws IOException, InterruptedException {
    http.handler().handle(request(http, ctx), new HttpResponse(ctx, streams));
  }

  private void install(Mount.Socket socket, RoutesConfig routes) {
    routes.wsBeforeUpgrade(
        socket.path(),
        ctx -> {
          Mount.Request request = request(socket, ctx);
          Mount.Refusal refusal = socket.acceptor().refusal(request);
          if (refusal != null) {
            String code = refusal.status() == 403 ? "forbidden" : "refused";
            throw Problem.of(refusal.status(), code, refusal.sentence());
          }
          ctx.attribute(REQUEST, request);
        });
    routes.ws(
        socket.path(),
        config -> {
          config.onConnect(ctx -> {
            SocketChannel channel = new SocketChannel(ctx, time);
            ctx.attribute(LISTENER, socket.acceptor().open(known(ctx, REQUEST), channel));
          });
          config.onMessage(
              ctx -> Mounts.<Mount.Listener>known(ctx, LISTENER).message(ctx.message()));
          config.onBinaryMessage(ctx -> ctx.closeSession(NOT_TEXT, "Messages are text."));
          config.onClose(ctx -> {
            Mount.Listener listener = ctx.attribute(LISTENER);
            // There is none if the acceptor failed.
            if (listener != null) {
              listener.closed(ctx.status());
            }
          });
        });
  }

  private static <T> T known(WsContext ctx, String attribute) {
    return Objects.requireNonNull(ctx.<T>attribute(attribute));
  }

  private Mount.Request request(Mount mount, Context ctx) {
    String query = ctx.queryString();
    return new Mount.Request(
        ctx.req().getMethod(),
        ctx.req().getRequestURI() + (query == null ? "" : "?" + query),
        headers(ctx),
        ctx.body(),
        access.client(ctx),
        switch (mount.check()) {
          case SERVER -> principal(access.principal(ctx));
          case OWN -> null;
        });
  }

  private static Mount.Principal principal(Principal known) {
    return new Mount.Principal(known.name(), known.role().word());
  }

  private static Map<String, List<String>> headers(Context ctx) {
    Map<String, List<String>> headers = new TreeMap<>();
    for (String name : Collections.list(ctx.req().getHeaderNames())) {
      headers.put(name.toLowerCase(Locale.ROOT), Collections.list(ctx.req().getHeaders(name)));
    }
    return headers;
  }

  /// The response to a request for such a route.
  private record HttpResponse(Context ctx, Streams streams) implements Mount.Response {
    @Override
    public void send(int status, Map<String, String> headers, String body) {
      headers.forEach(ctx::header);
      ctx.status(status).result(body);
    }

    @Override
    public Mount.EventStream events() throws IOException {
      Streams.Place place = streams.place(ctx);
      Wire wire = place.open();
      return new Mount.EventStream() {
        @Override
        public void send(String text) throws IOException {
          wire.write(text);
        }

        @Override
        public void close() {
          wire.close();
          place.close();
        }
      };
    }
  }
}
