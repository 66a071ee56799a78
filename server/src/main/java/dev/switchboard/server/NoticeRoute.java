package dev.switchboard.server;

import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.Notices.Notice;
import dev.switchboard.server.Notices.Reader;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// The route by which a page is notified of changed lists.
final class NoticeRoute {
  private final Notices notices;
  private final Access access;
  private final Streams streams;

  NoticeRoute(Notices notices, Access access, Streams streams) {
    this.notices = notices;
    this.access = access;
    this.streams = streams;
  }

  void install(RoutesConfig routes) {
    routes.get("/v1/events", this::events, Needs.of(Permission.OWN_CONVERSATIONS));
  }

  private void events(Context ctx) throws InterruptedException {
    Principal principal = access.principal(ctx);
    Reader reader = notices.enter();
    try (Streams.Place place = streams.place(ctx);
        Wire wire = place.open()) {
      wire.write(Wire.ALIVE);
      while (place.isValid()) {
        if (reader.isOver()) {
          wire.write(Wire.RESUMABLE);
          break;
        }
        Notice notice = reader.waiting().poll(Wire.KEEPALIVE.toSeconds(), TimeUnit.SECONDS);
        if (notice == null) {
          wire.write(Wire.ALIVE);
        } else if (!reader.isOver() && place.isValid() && isFor(notice, principal)) {
          wire.write("data: " + notice.json().text() + "\n\n");
        }
      }
    } catch (IOException e) {
      // The page has disconnected.
    } finally {
      notices.leave(reader);
    }
  }

  private static boolean isFor(Notice notice, Principal principal) {
    return principal.mayForAll(notice.others()) || principal.name().equals(notice.principal());
  }
}
