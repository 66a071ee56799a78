package dev.switchboard.phone.call;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberType;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import dev.switchboard.phone.call.CallSettings.Transfer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which numbers a model may have dialled. A caller can dictate a number, and the owner of the
/// phone pays for it: premium services and numbers of no country are refused unless the owner wrote
/// them out.
final class DialPolicy {
  private static final String NORTH_AMERICA = "+1";
  // The others with that calling code are countries of their own, most of them expensive.
  private static final Set<String> OF_NORTH_AMERICA = Set.of("US", "CA");
  private static final String NO_COUNTRY = "001";
  private static final String INFORMATION = "976"; // local premium services of North America
  private static final Set<PhoneNumberType> REFUSED =
      EnumSet.of(
          PhoneNumberType.PREMIUM_RATE,
          PhoneNumberType.SHARED_COST,
          PhoneNumberType.PERSONAL_NUMBER,
          PhoneNumberType.UAN,
          PhoneNumberType.UNKNOWN);

  private final PhoneNumberUtil numbers = PhoneNumberUtil.getInstance();
  private final Transfer transfer;

  DialPolicy(Transfer transfer) {
    this.transfer = transfer;
  }

  /// Whether the model may state that number, `+` and digits.
  boolean allows(String number) {
    List<String> allow = transfer.allow();
    if (transfer.to().containsValue(number) || allow.contains(number)) {
      return true;
    }
    PhoneNumber parsed = parsed(number);
    if (parsed == null || isSpecial(parsed)) {
      return false;
    }
    String region = String.valueOf(numbers.getRegionCodeForNumber(parsed));
    return !region.equals(NO_COUNTRY)
        && allow.stream().anyMatch(beginning -> begins(number, beginning, region));
  }

  private static boolean begins(String number, String beginning, String region) {
    return number.startsWith(beginning)
        && (!beginning.equals(NORTH_AMERICA) || OF_NORTH_AMERICA.contains(region));
  }

  /// Null for a number that a network may read otherwise than it is written.
  private @Nullable PhoneNumber parsed(String number) {
    try {
      PhoneNumber parsed = numbers.parse(number, null);
      return numbers.format(parsed, PhoneNumberFormat.E164).equals(number) ? parsed : null;
    } catch (NumberParseException e) {
      return null;
    }
  }

  private boolean isSpecial(PhoneNumber number) {
    String national = numbers.getNationalSignificantNumber(number);
    boolean information = number.getCountryCode() == 1 && national.startsWith(INFORMATION, 3);
    return information || REFUSED.contains(numbers.getNumberType(number));
  }
}
