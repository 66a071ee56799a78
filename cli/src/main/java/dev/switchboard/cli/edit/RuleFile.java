package dev.switchboard.cli.edit;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent's file whose rules are changed. Unchanged parts keep their bytes, and a change that
/// would cause an error is refused.
public final class RuleFile {
  /// The result of adding a rule.
  ///
  /// @param changed false if the file had the rule already
  /// @param warnings that the rule causes
  public record Addition(boolean changed, List<ConfigException.Fault> warnings) {
    public Addition {
      warnings = List.copyOf(warnings);
    }
  }

  private final Path file;
  private final StoredText stored;

  private RuleFile(Path file, StoredText stored) {
    this.file = file;
    this.stored = stored;
  }

  /// That file.
  ///
  /// @throws EditRefusedException when it is not text or does not exist
  public static RuleFile open(Path file) throws EditRefusedException, IOException {
    return new RuleFile(file, StoredText.read(file));
  }

  /// Its rules.
  ///
  /// @throws EditRefusedException with the first error of the file
  public List<ToolRule> rules() throws EditRefusedException {
    return agent().rules();
  }

  /// Adds the rule to the file, unless it has it already.
  ///
  /// @throws EditRefusedException when the file has an error, or would have one
  public Addition add(ToolRule rule) throws EditRefusedException, IOException {
    AgentFile before = agent();
    if (before.rules().stream().anyMatch(other -> same(other).equals(same(rule)))) {
      return new Addition(false, List.of());
    }
    String changed = document().with(rule).text();
    AgentFile after = preview(changed);
    List<String> known = messages(before.warnings());
    List<ConfigException.Fault> warnings =
        after.warnings().stream().filter(fault -> !known.contains(fault.message())).toList();
    stored.replace(changed);
    return new Addition(true, warnings);
  }

  /// Removes the rules of that tool from the file, of that kind or of all.
  ///
  /// @param kind null for all
  /// @return the number of removed rules
  /// @throws EditRefusedException when the file cannot be read, or would have a new error
  public int remove(String tool, @Nullable RuleKind kind) throws EditRefusedException, IOException {
    boolean good = isGood();
    RuleDocument document = document();
    List<Integer> found = document.of(tool, kind);
    if (found.isEmpty()) {
      return 0;
    }
    for (int index : found.reversed()) {
      document = document.without(index);
    }
    if (good) {
      preview(document.text());
    }
    stored.replace(document.text());
    return found.size();
  }

  private RuleDocument document() {
    return new RuleDocument(file, stored.text());
  }

  /// Whether it has no error. With a syntax error it cannot be changed.
  private boolean isGood() throws EditRefusedException {
    try {
      AgentFile.preview(file, stored.text());
      return true;
    } catch (ConfigException e) {
      if (firstError(e).kind() == FaultClass.SYNTAX) {
        throw new EditRefusedException(firstError(e).toString());
      }
      return false;
    }
  }

  private AgentFile agent() throws EditRefusedException {
    try {
      return AgentFile.preview(file, stored.text());
    } catch (ConfigException e) {
      throw new EditRefusedException(firstError(e).toString());
    }
  }

  private AgentFile preview(String changed) throws EditRefusedException {
    try {
      return AgentFile.preview(file, changed);
    } catch (ConfigException e) {
      throw new EditRefusedException(file + " would have an error: " + firstError(e).message());
    }
  }

  private static ConfigException.Fault firstError(ConfigException e) {
    return e.faults().stream()
        .filter(fault -> fault.severity() == Severity.ERROR)
        .findFirst()
        .orElseThrow();
  }

  private static List<String> messages(List<ConfigException.Fault> faults) {
    return faults.stream().map(ConfigException.Fault::message).toList();
  }

  /// A form in which two spellings of one rule are equal.
  private static List<Object> same(ToolRule rule) {
    return List.of(
        rule.tool(),
        RuleKind.of(rule.type()),
        rule.type().value().digest(),
        rule.priority(),
        rule.scope(),
        rule.metadata().digest());
  }
}
