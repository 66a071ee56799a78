package dev.switchboard.server;

import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Places;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.time.Time;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.websocket.WsConnectContext;
import io.javalin.websocket.WsContext;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// The routes that other modules add.
final class Mounts {
  private static final String REQUEST = "switchboard.mount.request";
  private static final String LISTENER = "switchboard.mount.listener";
  private static final String VALID = "switchboard.mount.valid";
  private static final String PLACE = "switchboard.mount.place";
  private static final int NOT_TEXT = 1003;
  private static final int TRY_LATER = 1013;

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
            routes.addHttpHandler(
                HandlerType.findOrCreate(http.method()),
                http.path(),
                ctx -> handle(http, ctx),
                needs(http));
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
          access.permit(ctx, needs(socket));
          Mount.Request request = request(socket, ctx);
          Mount.Refusal refusal = socket.acceptor().refusal(request);
          if (refusal != null) {
            String code = refusal.status() == 403 ? "forbidden" : "refused";
            throw Problem.of(refusal.status(), code, refusal.sentence());
          }
          ctx.attribute(REQUEST, request);
          if (request.principal() != null) {
            ctx.attribute(VALID, access.validity(ctx));
            access.streams().check(request.principal().name());
          }
        });
    routes.ws(
        socket.path(),
        config -> {
          config.onConnect(ctx -> connect(socket, ctx));
          config.onMessage(ctx -> {
            Mount.Listener listener = ctx.attribute(LISTENER);
            if (listener != null) {
              listener.message(ctx.message());
            }
          });
          config.onBinaryMessage(ctx -> ctx.closeSession(NOT_TEXT, "Messages are text."));
          config.onClose(ctx -> {
            Places.Place place = ctx.attribute(PLACE);
            if (place != null) {
              place.close();
            }
            Mount.Listener listener = ctx.attribute(LISTENER);
            // There is none if the acceptor failed.
            if (listener != null) {
              listener.closed(ctx.status());
            }
          });
        });
  }

  private void connect(Mount.Socket socket, WsConnectContext ctx) {
    Mount.Request request = attribute(ctx, REQUEST);
    BooleanSupplier valid = ctx.attribute(VALID);
    if (request.principal() != null) {
      try {
        ctx.attribute(PLACE, access.streams().acquire(request.principal().name()));
      } catch (FullException e) {
        ctx.closeSession(TRY_LATER, String.valueOf(e.getMessage()));
        return;
      }
    }
    SocketChannel channel = new SocketChannel(ctx, time, valid == null ? () -> true : valid);
    ctx.attribute(LISTENER, socket.acceptor().open(request, channel));
  }

  private static <T> T attribute(WsContext ctx, String attribute) {
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
          case Mount.Check.Server server -> {
            access.checkPage(ctx);
            yield access.principal(ctx);
          }
          case Mount.Check.Own own -> null;
        });
  }

  private static Needs needs(Mount mount) {
    return switch (mount.check()) {
      case Mount.Check.Server(Permission needed) -> Needs.of(needed);
      case Mount.Check.Own own -> Needs.NOTHING;
    };
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
          if (!place.isValid()) {
            throw new IOException("the client may no longer read");
          }
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
