package dev.switchboard.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What each role may do.
class PermissionTest {
  @ParameterizedTest
  @CsvSource({
    "SEE_AGENTS, chat tools approve operate",
    "TALK, chat approve operate",
    "OWN_CONVERSATIONS, chat tools approve operate",
    "ANSWER_OWN, chat approve operate",
    "CALL_TOOLS, tools operate",
    "ANSWER_ALL, approve operate",
    "OPERATE, operate"
  })
  void eachPermissionHasItsRoles(Permission permission, String roles) {
    assertThat(Role.words(permission.roles(), " ")).isEqualTo(roles);
  }

  @Test
  void rolesAddUpAndNoneIncludesAnother() {
    assertThat(Principal.of("ada", Role.APPROVE).may(Permission.CALL_TOOLS)).isFalse();
    assertThat(Principal.of("ada", Role.TOOLS).may(Permission.TALK)).isFalse();
    assertThat(Principal.of("ada", Role.APPROVE, Role.TOOLS).may(Permission.CALL_TOOLS)).isTrue();
    assertThat(Principal.of("ada").may(Permission.SEE_AGENTS)).isFalse();
    for (Permission permission : Permission.values()) {
      assertThat(Principal.LOCAL.may(permission)).isTrue();
    }
  }

  @Test
  void anOperatorThatActsForAPrincipalHasThatPrincipalsOnly() {
    Principal acted = new Principal("ann", Set.of(Role.OPERATE), "op");

    assertThat(acted.may(Permission.ANSWER_ALL)).isTrue();
    assertThat(acted.mayForAll(Permission.ANSWER_ALL)).isFalse();
    assertThat(acted.by()).isEqualTo("op for ann");
    assertThat(Principal.of("ann", Role.CHAT).by()).isEqualTo("ann");
  }

  @Test
  void aRefusalNamesTheCommand() {
    assertThat(Principal.of("bob", Role.CHAT).refusal(Permission.CALL_TOOLS))
        .isEqualTo(
            "This needs the role tools or operate, and the token 'bob' has chat: switchboard token"
                + " roles bob --role chat --role tools");
  }
}
