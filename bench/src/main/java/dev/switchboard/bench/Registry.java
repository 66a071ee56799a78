package dev.switchboard.bench;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.tool.ToolCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// A registry of ten tools beside one of ten thousand.
final class Registry {
  private static final int FEW = 10;
  private static final int MANY = 10_000;
  private static final int LOOK_UPS = 1_000_000;

  private static final String PARAMETERS =
      """
      {"type":"object","additionalProperties":false,"required":["id"],"properties":{
      "id":{"type":"string","description":"The %d-th"},"count":{"type":"integer","minimum":1},
      "kind":{"enum":["a","b"]},"tags":{"type":"array","items":{"type":"string"}},
      "place":{"type":"object","properties":{"city":{"type":"string"}}}}}\
      """;

  private final Duel duel;

  private Registry(boolean quick) {
    duel = new Duel("%,.1f", 3, quick ? 5 : 21);
  }

  static List<Row> run(boolean quick) throws Exception {
    Registry registry = new Registry(quick);
    return List.of(registry.build(), registry.same(), registry.any(), registry.call());
  }

  private static String name(int i) {
    return "tool_" + i;
  }

  private static ToolRegistry of(int size) {
    List<Tool> tools = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      tools.add(
          Tool.dynamic(name(i), PARAMETERS.formatted(i))
              .description("Does the " + i + "-th thing")
              .inline()
              .answeredBy((arguments, context) -> "done"));
    }
    return ToolRegistry.of(tools);
  }

  private Row build() throws Exception {
    return duel.row(
        "a tool built and added, one of 10,000 / one of 10: CPU ns",
        () -> cost(MANY, () -> of(MANY)),
        () -> cost(MANY, () -> times(MANY / FEW, () -> of(FEW))));
  }

  /// The same ten names in both, spread over the many.
  private Row same() throws Exception {
    String[] names = new String[FEW];
    for (int i = 0; i < FEW; i++) {
      names[i] = name(i);
    }
    ToolRegistry many = of(MANY);
    ToolRegistry few = of(FEW);
    return duel.row(
        "a look-up of the same ten names, of 10,000 / of 10: CPU ns",
        () -> lookUp(many, names),
        () -> lookUp(few, names));
  }

  /// All names in no order, so that caches miss.
  private Row any() throws Exception {
    ToolRegistry many = of(MANY);
    ToolRegistry few = of(FEW);
    String[] all = shuffled(MANY);
    String[] ten = shuffled(FEW);
    return duel.row(
        "a look-up of all names in no order, of 10,000 / of 10: CPU ns",
        () -> lookUp(many, all),
        () -> lookUp(few, ten));
  }

  private Row call() throws Exception {
    ToolExecutor many = ToolExecutor.builder().registry(of(MANY)).build();
    ToolExecutor few = ToolExecutor.builder().registry(of(FEW)).build();
    return duel.row(
        "a call of one tool, of 10,000 / of 10: CPU ns", () -> calls(many), () -> calls(few));
  }

  private static double calls(ToolExecutor executor) {
    int calls = LOOK_UPS / 10;
    return cost(
        calls,
        () ->
            times(
                calls, () -> executor.execute(ToolCall.of(name(7), "{\"id\":\"x\",\"count\":2}"))));
  }

  private static double lookUp(ToolRegistry registry, String[] names) {
    return cost(
        LOOK_UPS,
        () -> {
          int found = 0;
          for (int i = 0; i < LOOK_UPS; i++) {
            found += registry.find(names[i % names.length]) == null ? 0 : 1;
          }
          if (found != LOOK_UPS) {
            throw new IllegalStateException("a tool is missing");
          }
        });
  }

  private static String[] shuffled(int size) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      names.add(name(i));
    }
    Collections.shuffle(names, new Random(7));
    return names.toArray(String[]::new);
  }

  private static void times(int times, Runnable body) {
    for (int i = 0; i < times; i++) {
      body.run();
    }
  }

  private static double cost(long operations, Runnable body) {
    Meter before = Meter.now();
    body.run();
    return before.since(operations).cpu();
  }
}
