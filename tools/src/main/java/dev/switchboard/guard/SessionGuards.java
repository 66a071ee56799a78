package dev.switchboard.guard;

import dev.switchboard.guard.Guards.Report;
import dev.switchboard.guard.Guards.Verdict;
import dev.switchboard.rule.Guardrail.Place;
import dev.switchboard.tool.ToolCall;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The guardrails of one conversation: what they find is reported to it. Thread-safe, if its
/// receiver of reports is.
public final class SessionGuards {
  private final Guards guards;
  private final Consumer<Report> reports;
  private final boolean checksOutput;

  /// @param reports receives what they find
  public SessionGuards(Guards guards, Consumer<Report> reports) {
    this.guards = guards;
    this.reports = reports;
    checksOutput = guards.look(Place.OUTPUT);
  }

  /// Reports a match.
  public void report(Report match) {
    reports.accept(match);
  }

  /// The verdict on the user's words.
  public Verdict input(String words) {
    return input(words, reports);
  }

  /// The verdict on the user's words.
  ///
  /// @param matches receives the reports, instead of the conversation
  public Verdict input(String words, Consumer<Report> matches) {
    return guards.check(Place.INPUT, words, matches);
  }

  /// The user's words after the quick guardrails, to be shown at once.
  public String shown(String words) {
    return guards.shown(words);
  }

  /// The verdict on a whole text of the agent.
  public Verdict output(String words) {
    return guards.checkOutput(words, reports);
  }

  /// The agent's text as the user may read it.
  public String said(String words) {
    if (!checksOutput) {
      return words;
    }
    Verdict verdict = output(words);
    String substitute = verdict.substitute();
    return substitute == null ? verdict.text() : substitute;
  }

  /// The screen of a reply's text, null if no guardrail checks replies.
  ///
  /// @param show receives text that may be shown
  public @Nullable Screen screen(Consumer<String> show) {
    return checksOutput ? guards.screen(show, reports) : null;
  }

  /// The screen of a reply that is spoken as it arrives, null if no guardrail checks replies.
  public @Nullable Screen spoken() {
    return checksOutput ? guards.spoken(reports) : null;
  }

  /// What the slow guardrails say instead of spoken text; null for nothing.
  public @Nullable String judged(String words) {
    return guards.judge() ? guards.judged(words, reports).substitute() : null;
  }

  /// The call, with the replacements of guardrails in its arguments.
  public ToolCall redacted(ToolCall call) {
    return guards.redacted(call, reports);
  }
}
