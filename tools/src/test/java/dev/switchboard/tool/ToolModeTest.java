package dev.switchboard.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The mode that the first word of a name implies.
class ToolModeTest {
  @ParameterizedTest
  @CsvSource({
    "get_order, READ",
    "getOrder, READ",
    "GetOrder, READ",
    "list-orders, READ",
    "search.orders, READ",
    "READ_ME, READ",
    "getURL, READ",
    "createUser, SAFE_WRITE",
    "set-limit, SAFE_WRITE",
    "delete_user, DESTRUCTIVE",
    "delete-user, DESTRUCTIVE",
    "delete.user, DESTRUCTIVE",
    "deleteUser, DESTRUCTIVE",
    "Delete-User, DESTRUCTIVE",
    "removeBooking, DESTRUCTIVE",
    "shell-run, LOCAL",
    "shellRun, LOCAL",
    "exec_, LOCAL",
    // One word has no first word.
    "delete, EXTERNAL",
    "deleteuser, EXTERNAL",
    "DELETEUSER, EXTERNAL",
    "DELETEuser, EXTERNAL",
    "delete2User, EXTERNAL",
    "_delete_user, EXTERNAL",
    "user_delete, EXTERNAL",
    "settle_bill, EXTERNAL",
    "addressOf, EXTERNAL",
    "getter_x, EXTERNAL",
  })
  void followsFromTheFirstWord(String name, ToolMode mode) {
    assertThat(ToolMode.infer(name)).isEqualTo(mode);
  }

  @ParameterizedTest
  @CsvSource({
    "get_order, EXTERNAL, EXTERNAL",
    "get_order, , READ",
    "createUser, READ, READ",
    "deleteUser, READ, DESTRUCTIVE",
    "shell-run, READ, LOCAL",
    "delete_user, LOCAL, LOCAL",
    "run, DESTRUCTIVE, DESTRUCTIVE",
  })
  void infersOnlyLocalOrDestructiveFromName(String name, ToolMode usual, ToolMode mode) {
    assertThat(ToolMode.infer(name, usual)).isEqualTo(mode);
  }
}
