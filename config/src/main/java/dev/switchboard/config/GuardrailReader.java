package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.guard.Guards;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Place;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the guardrails of an agent's file: the name of a check, with its default places and
/// action, or a table.
final class GuardrailReader {
  private static final List<String> CHECKS =
      Arrays.stream(Known.values()).map(Known::word).toList();
  private static final String ONE_OF =
      "one of check, words, pattern, links_outside, max_length, question";

  private GuardrailReader() {}

  /// @param hasModel whether there is a model to ask questions
  static List<Guardrail> read(List<Value> stated, boolean hasModel) {
    List<Guardrail> rails = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Value value : stated) {
      Guardrail rail = value.isString() ? ofName(value) : ofTable(value);
      if (rail != null && rail.check() instanceof Guardrail.Question && !hasModel) {
        value.member("question").bad("needs a model to ask: state agent.model");
      }
      if (rail != null && !names.add(rail.name())) {
        value.bad("is named '" + rail.name() + "', as another guardrail is");
      } else if (rail != null) {
        rails.add(rail);
      }
    }
    return rails;
  }

  private static @Nullable Guardrail ofName(Value value) {
    String name = value.node().stringValue();
    for (Known known : Known.values()) {
      if (known.word().equals(name)) {
        return Guardrail.known(known);
      }
    }
    value.bad(
        "is not a built-in check"
            + Hints.closestAndAll(name, CHECKS)
            + "; for words, state { name = '..', words = ['..'] }");
    return null;
  }

  private static @Nullable Guardrail ofTable(Value value) {
    AgentToml.Guardrail table = Binder.bind(value, AgentToml.Guardrail.class);
    Guardrail usual = table == null ? null : usual(table);
    if (table == null || usual == null) {
      return null;
    }
    Set<Place> on = table.on() == null ? usual.on() : places(table.on());
    boolean right = isRight(table, usual);
    if (on.isEmpty() || !right) {
      return null;
    }
    try {
      Guardrail rail =
          new Guardrail(
              usual.name(),
              table.then() == AgentToml.Then.ASK && table.on() == null ? Set.of(Place.CALL) : on,
              usual.check(),
              then(table, usual),
              table.onError() == AgentToml.OnError.BLOCK,
              requireNonNullElse(table.window(), Guardrail.DEFAULT_WINDOW),
              requireNonNullElse(table.timeout(), Guardrail.DEFAULT_TIMEOUT));
      Guards unused = Guards.of(List.of(rail), null, List.of(), Time.SYSTEM);
      return rail;
    } catch (IllegalArgumentException e) {
      value.error(FaultClass.BAD_VALUE, value.path() + ": " + e.getMessage());
      return null;
    }
  }

  /// The guardrail with its defaults; null if it does not have exactly one check.
  private static @Nullable Guardrail usual(AgentToml.Guardrail table) {
    List<Guardrail> found = new ArrayList<>();
    if (table.check() != null) {
      found.add(Guardrail.known(table.check()));
    }
    if (table.secrets()) {
      found.add(Guardrail.known(Known.SECRETS));
    }
    if (table.instructions()) {
      found.add(Guardrail.known(Known.INSTRUCTIONS));
    }
    String name = requireNonNullElse(table.name(), "guardrail");
    if (!table.words().isEmpty()) {
      found.add(Guardrail.words(name, table.words().toArray(String[]::new)));
    }
    String pattern = table.pattern() == null ? null : table.pattern().filledText();
    if (pattern != null) {
      found.add(Guardrail.pattern(name, pattern));
    }
    Guardrail links = table.at().has("links_outside") ? links(name, table) : null;
    if (links != null) {
      found.add(links);
    }
    if (table.maxLength() != null) {
      found.add(Guardrail.maxLength(name, table.maxLength()));
    }
    if (table.question() != null) {
      found.add(Guardrail.question(name, table.question()));
    }
    if (table.at().has("words") && table.at().member("words").node().isEmpty()) {
      table.at().member("words").bad("must name at least one word");
      return null;
    }
    boolean faulty =
        Stream.of("check", "words", "pattern", "links_outside", "max_length", "question")
            .anyMatch(table.at()::has);
    if (found.isEmpty() && faulty) {
      // Its fault was reported.
      return null;
    }
    if (found.size() != 1) {
      table.at().bad("needs " + ONE_OF + (found.isEmpty() ? "" : ", and only one"));
      return null;
    }
    Guardrail usual = found.getFirst();
    if (table.name() == null && !(usual.check() instanceof Known)) {
      table.at().bad("needs 'name'");
      return null;
    }
    return table.name() == null
        ? usual
        : new Guardrail(
            name, usual.on(), usual.check(), usual.then(), false, usual.window(), usual.timeout());
  }

  private static @Nullable Guardrail links(String name, AgentToml.Guardrail table) {
    try {
      return Guardrail.linksOutside(name, table.linksOutside().toArray(String[]::new));
    } catch (IllegalArgumentException e) {
      table.at().member("links_outside").bad("is faulty: " + e.getMessage());
      return null;
    }
  }

  private static Set<Place> places(Value on) {
    EnumSet<Place> places = EnumSet.noneOf(Place.class);
    for (Value one : on.isString() ? List.of(on) : on.items()) {
      if (one.word(Place.values()) instanceof Place place) {
        places.add(place);
      }
    }
    if (places.isEmpty() && on.node().isArray() && on.node().isEmpty()) {
      on.bad("must name at least one of input, output, call, result");
    }
    return places;
  }

  private static Guardrail.Action then(AgentToml.Guardrail table, Guardrail usual) {
    String say = requireNonNullElse(table.say(), Guardrail.SUBSTITUTE);
    if (table.then() == null) {
      return switch (usual.then()) {
        case Guardrail.Block block -> new Guardrail.Block(say);
        case Guardrail.Redact redact -> new Guardrail.Redact(table.with());
        case Guardrail.Flag flag -> flag;
        case Guardrail.Ask ask -> ask;
      };
    }
    return switch (table.then()) {
      case BLOCK -> new Guardrail.Block(say);
      case REDACT -> new Guardrail.Redact(table.with());
      case FLAG -> new Guardrail.Flag();
      case ASK -> new Guardrail.Ask();
    };
  }

  /// Whether each key applies to its check.
  private static boolean isRight(AgentToml.Guardrail table, Guardrail usual) {
    Guardrail.Action then = then(table, usual);
    boolean right = true;
    if (table.say() != null && !(then instanceof Guardrail.Block)) {
      table.at().member("say").bad("must be left out: it is said where then = \"block\"");
      right = false;
    }
    if (table.with() != null && !(then instanceof Guardrail.Redact)) {
      table.at().member("with").bad("must be left out: it replaces where then = \"redact\"");
      right = false;
    }
    return right;
  }
}
