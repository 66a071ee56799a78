package dev.switchboard.cli.demo;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.tool.Doc;
import dev.switchboard.tool.Range;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// The demonstration's tool in Java: its parameters are a record, and it reports progress.
final class MenuTool {
  private static final long THINK_NANOS = 200_000_000;

  private MenuTool() {}

  enum Diet {
    ANY,
    VEGETARIAN
  }

  record Wish(@Doc("Guests at the table") @Range(min = 1, max = 12) int guests, Diet diet) {}

  record Menu(List<String> courses, int portions) {}

  static Tool make() {
    return Tool.typed("suggest_menu", Wish.class)
        .returns(Menu.class)
        .description("What the kitchen would cook.")
        .mode(ToolMode.READ)
        .handler(MenuTool::suggest);
  }

  private static Menu suggest(Wish wish, ToolContext context) {
    context.progress("Looking at what the market had...");
    LockSupport.parkNanos(THINK_NANOS);
    context.progress("Asking the chef...");
    LockSupport.parkNanos(THINK_NANOS);
    return switch (wish.diet()) {
      case ANY -> new Menu(List.of("fish soup", "roast lamb"), wish.guests());
      case VEGETARIAN -> new Menu(List.of("pumpkin soup", "mushroom risotto"), wish.guests());
    };
  }
}
