package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClosestTest {
  @Test
  void shortNamesAreCloseOnlyToNamesWithTheirLetters() {
    assertThat(Closest.to("b", List.of("a", "ab", "B"))).containsExactly("B");
    assertThat(Closest.to("ab", List.of("ac", "a", "ba", "abc", "AB")))
        .containsExactly("AB", "ba", "abc");
    assertThat(Closest.to("id", List.of("it", "ids", "in"))).containsExactly("ids");
  }

  @Test
  void longerNamesAreCloseInSpiteOfAWrongLetter() {
    assertThat(Closest.to("gest", List.of("guest", "house"))).containsExactly("guest");
    assertThat(Closest.to("abx", List.of("abc"))).containsExactly("abc");
    assertThat(Closest.to("party_size", List.of("partySize"))).containsExactly("partySize");
  }
}
