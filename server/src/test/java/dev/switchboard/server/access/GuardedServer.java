package dev.switchboard.server.access;

import dev.switchboard.json.Json;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Role;
import dev.switchboard.testing.ManualTime;
import io.javalin.Javalin;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// A server with a few routes behind [Access], on a free port of the loopback interface.
final class GuardedServer implements AutoCloseable {
  final ManualTime time = new ManualTime();
  final Tokens tokens;
  final Access access;
  final RawHttp http;
  private final Javalin server;

  private GuardedServer(Path folder, AccessSettings settings) {
    tokens = Tokens.open(folder.resolve("tokens"), null, time);
    access = new Access(tokens, settings, time);
    server =
        Javalin.create(config -> {
          config.concurrency.useVirtualThreads = true;
          config.startup.showJavalinBanner = false;
          config.jetty.host = "127.0.0.1";
          config.jetty.port = 0;
          access.install(config);
          routes(config.routes);
        });
    server.start();
    http = new RawHttp(server.port());
  }

  static GuardedServer start(Path folder, UnaryOperator<AccessSettings> settings) {
    return new GuardedServer(folder, settings.apply(AccessSettings.of("127.0.0.1")));
  }

  static GuardedServer start(Path folder) {
    return start(folder, settings -> settings);
  }

  private void routes(io.javalin.config.RoutesConfig routes) {
    routes.get("/", ctx -> ctx.html("<p>console</p>"));
    routes.get(
        "/v1/me", ctx -> ctx.result(access.principal(ctx).name()), Needs.of(Permission.SEE_AGENTS));
    routes.get(
        "/v1/approvals",
        ctx -> ctx.result(access.principal(ctx).name()),
        Needs.of(Permission.ANSWER_ALL));
    routes.get("/v1/all", ctx -> ctx.result(access.principal(ctx).name()));
    routes.get(
        "/v1/things/{id}", ctx -> ctx.result(ctx.pathParam("id")), Needs.of(Permission.SEE_AGENTS));
    routes.post(
        "/v1/things",
        ctx -> ctx.result("" + Json.text(ctx.body()).tree().size()),
        Needs.of(Permission.SEE_AGENTS));
    routes.get(
        "/v1/broken",
        ctx -> {
          throw new IllegalStateException("a secret of the caller");
        },
        Needs.of(Permission.SEE_AGENTS));
    routes.get(
        "/v1/overflow",
        ctx -> {
          throw new StackOverflowError("a secret of the caller");
        },
        Needs.of(Permission.SEE_AGENTS));
    routes.get(
        "/v1/full",
        ctx -> {
          throw new OutOfMemoryError("a secret of the caller");
        },
        Needs.of(Permission.SEE_AGENTS));
    routes.ws("/v1/socket", socket -> {});
    routes.post("/v1/chat/completions", ctx -> {}, Needs.of(Permission.SEE_AGENTS));
  }

  /// The header with a new token of these roles.
  String bearer(String name, Role... roles) {
    return "Authorization: Bearer " + tokens.add(name, roles);
  }

  @Override
  public void close() {
    server.stop();
  }
}
