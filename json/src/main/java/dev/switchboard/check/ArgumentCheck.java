package dev.switchboard.check;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/// The check of a tool's arguments. A fast pass accepts valid ones; for others a second pass finds
/// every fault. Immutable and thread-safe.
public final class ArgumentCheck {
  private static final List<Fault> TOO_COSTLY =
      List.of(
          new Fault(
              "", "arguments that can be checked in reasonable time", "too many alternatives"));

  private final Shape shape;
  private final boolean declaresHeartbeat;
  private final boolean requiresNothing;

  /// The steps that a check may take per character, in addition to one pass.
  private final long stepsPerCharacter;

  /// The check of arguments by that plan of the schema.
  public ArgumentCheck(Plan plan, Json schema) {
    shape = plan.shape();
    stepsPerCharacter = Math.clamp(schema.text().length() / 8L, 16, 64);
    declaresHeartbeat = schema.tree().path("properties").has(Heartbeat.NAME);
    requiresNothing = schema.tree().path("required").isEmpty();
  }

  /// The accepted arguments, bound if the tool has a type, or every fault.
  ///
  /// @param repair whether common mistakes of models are repaired if that makes the arguments valid
  public Checked of(Json arguments, boolean repair) {
    Json given = withoutExtras(arguments);
    try (JsonTokens in = JsonTokens.of(given.text(), steps(given))) {
      if (in.next() != null) {
        Object bound = shape.read(in);
        in.end();
        given.foundSound();
        return new Checked.Accepted(given, bound, List.of());
      }
    } catch (StackOverflowError e) {
      return new Checked.Refused(TOO_COSTLY, true);
    } catch (StreamConstraintsException e) {
      return new Checked.Refused(explain(given), true);
    } catch (Mismatch | JacksonException e) {
      if (e == Mismatch.TOO_COSTLY) {
        return new Checked.Refused(TOO_COSTLY, true);
      }
      Checked repaired = repair ? repaired(given) : null;
      return repaired == null ? new Checked.Refused(explain(given)) : repaired;
    }
    return new Checked.Refused(explain(given));
  }

  private long steps(Json arguments) {
    return Faults.LEAST_STEPS + stepsPerCharacter * arguments.text().length();
  }

  private Json withoutExtras(Json arguments) {
    String text = arguments.text();
    if (text.isEmpty() && requiresNothing) {
      return Json.EMPTY_OBJECT;
    }
    String rest = declaresHeartbeat ? text : Heartbeat.takenOut(text);
    return rest.equals(text) ? arguments : Json.text(rest);
  }

  private @Nullable Checked repaired(Json given) {
    Repair.Repaired repaired = Repair.of(given.text(), shape, new Faults(steps(given)));
    return repaired != null && of(repaired.arguments(), false) instanceof Checked.Accepted accepted
        ? new Checked.Accepted(accepted.arguments(), accepted.bound(), repaired.notes())
        : null;
  }

  /// Every fault of invalid arguments.
  private List<Fault> explain(Json given) {
    try {
      return explain(Reading.of(given.text()), new Faults(steps(given)));
    } catch (Mismatch | StackOverflowError e) {
      return TOO_COSTLY;
    }
  }

  private List<Fault> explain(Reading reading, Faults more) {
    JsonNode tree = reading.tree();
    Faults faults = reading.faults();
    if (tree != null && !tree.isObject()) {
      faults.add(Place.ROOT, () -> "a JSON object", tree);
    } else if (tree != null) {
      shape.explain(tree, Place.ROOT, more);
      faults.addElsewhere(more);
    }
    if (faults.isEmpty()) {
      faults.add(Place.ROOT, "arguments that meet the schema", "others");
    }
    return faults.list();
  }
}
