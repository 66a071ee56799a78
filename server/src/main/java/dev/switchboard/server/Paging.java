package dev.switchboard.server;

import dev.switchboard.server.access.Problem;
import dev.switchboard.state.Position;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The requested page of a list.
record Paging(@Nullable Position before, int limit) {
  private static final int USUAL = 50;
  private static final int MOST = 200;

  /// The page in the query parameters `cursor` and `limit`.
  ///
  /// @throws Problem `bad_request` when one is invalid
  static Paging of(Context ctx) {
    String cursor = ctx.queryParam("cursor");
    return new Paging(
        cursor == null || cursor.isEmpty() ? null : position(cursor),
        number(ctx, "limit", USUAL, MOST));
  }

  /// The number of that query parameter, at least 1.
  ///
  /// @throws Problem `bad_request` when it is not one
  static int number(Context ctx, String name, int otherwise, int most) {
    String text = ctx.queryParam(name);
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw Problem.badRequest("`" + name + "` must be a whole number from 1 to " + most + ".");
    }
    return Math.min(Integer.parseInt(text), most);
  }

  /// The cursor of the page after that position.
  static String cursor(Position last) {
    String text = last.at().toEpochMilli() + " " + last.id();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Position position(String cursor) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
      int space = text.indexOf(' ');
      long millis = Long.parseLong(text.substring(0, Math.max(0, space)));
      return new Position(Instant.ofEpochMilli(millis), text.substring(space + 1));
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("`cursor` is not one that a list gave.");
    }
  }
}
