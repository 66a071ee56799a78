package dev.switchboard.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.guard.Corpus.Sample;
import dev.switchboard.rule.Guardrail;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The texts of the corpus as replies that stream through all built-in checks. However they are
/// cut, the same is shown, and nothing that is found is in it. `-Dswitchboard.fuzz=5000` tries so
/// many replies.
class GuardrailStreamTest {
  private static final int REPLIES = Integer.getInteger("switchboard.fuzz", 30);
  private static final int CUTS = 3;

  private final Guardrail[] rails = Corpus.rails().values().toArray(Guardrail[]::new);
  private final Guards guards = Corpus.guards(rails);
  private final List<Sample> corpus = Corpus.all();

  private String shown(List<String> fragments) {
    StringBuilder shown = new StringBuilder();
    Screen screen = guards.screen(shown::append, report -> {});
    fragments.forEach(screen::text);
    String line = screen.finish(String.join("", fragments));
    assertThat(shown).hasToString(line);
    return line;
  }

  private String reply(Random random) {
    StringBuilder reply = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      String text = corpus.get(random.nextInt(corpus.size())).text();
      reply.append(text).append(random.nextBoolean() ? " \n" : ". ");
    }
    return reply.toString();
  }

  static List<String> cut(String text, Random random) {
    List<String> fragments = new ArrayList<>();
    for (int at = 0; at < text.length(); ) {
      int end = Math.min(text.length(), at + 1 + random.nextInt(12));
      fragments.add(text.substring(at, end));
      at = end;
    }
    return fragments;
  }

  @Tag("slow")
  @Test
  void redactsMatchWhereverReplyIsSplit() {
    for (int seed = 0; seed < REPLIES; seed++) {
      Random random = new Random(seed);
      String reply = reply(random);
      String whole = shown(List.of(reply));
      for (int i = 0; i < CUTS; i++) {
        assertThat(shown(cut(reply, random))).as("seed %d", seed).isEqualTo(whole);
      }
      assertThat(bare(whole)).as("seed %d", seed).isEqualTo(kept(reply));
    }
  }

  /// The reply without all that any check finds in it as a whole.
  private String kept(String reply) {
    BitSet found = new BitSet();
    for (Guard guard : guards.at(Guardrail.Place.OUTPUT)) {
      Corpus.spans(guard.finder(), reply).forEach(span -> found.set(span.start(), span.end()));
    }
    StringBuilder kept = new StringBuilder();
    for (int i = found.nextClearBit(0); i < reply.length(); i = found.nextClearBit(i + 1)) {
      kept.append(reply.charAt(i));
    }
    return kept.toString();
  }

  /// What is shown without what stands in the place of findings.
  private String bare(String shown) {
    String bare = shown;
    for (Guard guard : guards.at(Guardrail.Place.OUTPUT)) {
      bare = bare.replace(guard.replacement(), "");
    }
    return bare;
  }
}
