package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.phone.call.CallSettings.Transfer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which numbers a model may have dialled; whoever calls can dictate one.
class DialPolicyTest {
  private static final List<String> EVERYWHERE =
      List.of("+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9");

  private static boolean allows(List<String> allow, String number) {
    return new DialPolicy(new Transfer(Map.of(), allow, true)).allows(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+14155552671", // San Francisco
        "+14165550123", // Toronto
        "+18002752273", // toll-free
        "+442071838750", // London
        "+447400123456", // a British mobile
        "+4930123456", // Berlin
        "+4915123456789", // a German mobile
        "+33142685300",
        "+390669812345", // Rome, with its zero
        "+61291234567"
      })
  void ordinaryNumbersAreAllowedByTheirBeginning(String number) {
    assertThat(allows(EVERYWHERE, number)).isTrue();
    assertThat(allows(List.of(number.substring(0, 4)), number)).isTrue();
    assertThat(allows(List.of("+99"), number)).isFalse();
    assertThat(allows(List.of(), number)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "+19002345678, premium",
    "+14159761234, information of an area",
    "+15005550006, personal",
    "+449098790000, premium",
    "+448431234567, shared cost",
    "+447012345678, personal",
    "+445512345678, corporate",
    "+499001234567, premium",
    "+491805123456, shared cost",
    "+4970012345678, personal",
    "+33899123456, premium",
    "+41900123456, premium",
    "+80012345678, freephone of no country",
    "+80812345678, shared cost of no country",
    "+870773111632, Inmarsat",
    "+878101234567890, personal of no country",
    "+881631612345, Iridium",
    "+8821655511111, satellite",
    "+883510012345, network of no country",
    "+8835100123456, network of no country",
    "+979123456789, premium of no country",
    "+999123456789, of no one",
    "+15550001111, in no plan",
    "+1234567, too short",
    "+14155552671234, too long",
    "+4400207183875, with a trunk prefix",
    "+44020718387, with a trunk prefix",
    "+0014155552671, with another prefix",
    "+4911, an emergency"
  })
  void othersAreAllowedOnlyIfTheyAreWrittenOut(String number, String why) {
    assertThat(allows(EVERYWHERE, number)).as(why).isFalse();
    assertThat(allows(List.of(number), number)).isTrue();
    assertThat(allows(List.of(number.substring(0, number.length() - 1)), number)).isFalse();
    assertThat(new DialPolicy(Transfer.to(Map.of("owner", number))).allows(number)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+18765230123", "+18095345678", "+12842291234", "+12644612345", "+14734031234",
        "+16492319999", "+17872345678", "+13406421234", "+16713001234", "+12423023456"
      })
  void plusOneAllowsOnlyUnitedStatesAndCanada(String number) {
    assertThat(allows(List.of("+1"), number)).isFalse();
    assertThat(allows(List.of("+1", number.substring(0, 5)), number)).isTrue();
  }

  @Test
  void theBeginningOfANumberIsNotTheEndOfAnother() {
    assertThat(allows(List.of("+44"), "+14415552671")).isFalse();
    assertThat(allows(List.of("+1415"), "+14165550123")).isFalse();
  }
}
