package dev.switchboard.cli.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// An agent's file made of paragraphs, so that a test knows what it is without one of its rules.
record RandomFile(List<Paragraph> paragraphs, String ending, boolean open) {
  /// Lines that belong together, and how many blank lines stand above them.
  ///
  /// @param tool that it is a rule for, empty where it is none
  record Paragraph(int blanks, String tool, String lines) {}

  private static final List<String> TYPES =
      List.of(
          "rule_type = \"ExitLoop\"",
          "  rule_type = { MaxCalls = 3 } # three",
          """
          rule_type = 'requires-preceding'
          # from the plan
          conditions = [
            "a", # one
            "b"
          ]\
          """,
          "\"rule_type\" = { type = \"Cooldown\", value = 1.5 }",
          """
          rule_type = { RequiresConsent = { scope = \"""# no comment
          [[agent.tool_rules]]\""" } }\
          """,
          "rule_type = \"Forbidden\"\n[agent.tool_rules.metadata] # why\n\nnote = '''# it's''''");
  private static final List<String> OTHERS =
      List.of(
          "[agent.limits]\niterations = 3",
          """
          [agent.variables] # there
          text = \"""
          # not a comment

          [[agent.tool_rules]]
          # nor this\"""\
          """,
          "[network]\nallow = [ # inner ones\n  \"127.0.0.1:9001\",\n\n]",
          "# A comment by itself.\n# [[agent.tool_rules]]");

  static RandomFile of(Random random) {
    List<Paragraph> all = new ArrayList<>();
    if (random.nextBoolean()) {
      all.add(new Paragraph(random.nextInt(2), "", "# The agent."));
    }
    if (random.nextInt(4) > 0) {
      String more = random.nextBoolean() ? "\npending = 'deny' # so" : "";
      all.add(new Paragraph(1, "", "[ agent ]\nname = \"A\"" + more));
    }
    boolean[] used = new boolean[OTHERS.size() - 1];
    int count = random.nextInt(8);
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(OTHERS.size());
      boolean taken = other < used.length && used[other];
      if (taken || random.nextInt(3) > 0) {
        all.add(rule(random, all));
      } else {
        if (other < used.length) {
          used[other] = true;
        }
        String lines = OTHERS.get(other);
        all.add(new Paragraph(blanks(random, all), "", lines));
      }
    }
    return new RandomFile(all, random.nextBoolean() ? "\n" : "\r\n", random.nextBoolean());
  }

  private static Paragraph rule(Random random, List<Paragraph> before) {
    String tool = "t" + random.nextInt(4);
    String comments = random.nextInt(3) == 0 ? "# why\n  # indeed\n" : "";
    String header =
        random.nextBoolean() ? "[[agent.tool_rules]]" : "[[ agent . 'tool_rules' ]] # r";
    String type = TYPES.get(random.nextInt(TYPES.size()));
    String lines = comments + header + "\ntool_name = \"" + tool + "\"\n" + type;
    return new Paragraph(blanks(random, before), tool, lines);
  }

  /// Comments right above a rule would be the rule's.
  private static int blanks(Random random, List<Paragraph> before) {
    boolean comment = !before.isEmpty() && before.getLast().lines.startsWith("#");
    return comment ? 1 + random.nextInt(2) : random.nextInt(3);
  }

  String text() {
    StringBuilder out = new StringBuilder();
    for (Paragraph paragraph : paragraphs) {
      out.append("\n".repeat(paragraph.blanks)).append(paragraph.lines).append("\n");
    }
    String text = out.toString();
    return (open && !text.isEmpty() ? text.substring(0, text.length() - 1) : text)
        .replace("\n", ending);
  }

  List<String> tools() {
    return paragraphs.stream().map(Paragraph::tool).filter(tool -> !tool.isEmpty()).toList();
  }

  /// The file without the rules for that tool.
  RandomFile without(String tool) {
    List<Paragraph> left =
        paragraphs.stream().filter(paragraph -> !paragraph.tool.equals(tool)).toList();
    return new RandomFile(left, ending, open);
  }
}
