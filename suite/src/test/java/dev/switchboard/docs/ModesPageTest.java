package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `docs/reference/modes.md` says what tools do.
class ModesPageTest {
  static Stream<List<String>> rows() throws IOException {
    return Files.readAllLines(Repository.file("docs/reference/modes.md")).stream()
        .filter(line -> line.startsWith("| `") || line.startsWith("| anything"))
        .map(line -> Stream.of(line.split("\\|")).skip(1).map(String::strip).toList());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void saysWhatAToolOfThatNameDoes(List<String> row) {
    String names = row.getFirst().startsWith("`") ? row.getFirst().replace("`", "") : "pay";
    for (String word : names.split(" ")) {
      Tool tool = Tool.dynamic(word + "_it").handler(arguments -> 1);
      assertThat(
              List.of(
                  "`" + tool.definition().mode().word() + "`",
                  tool.definition().mode().requiresConsent() ? "yes" : "no",
                  String.valueOf(tool.options().retry().maxRetries() + 1),
                  tool.options().parallel() ? "yes" : "no",
                  tool.options().onInterrupt() == ToolOptions.InterruptPolicy.CANCEL
                      ? "stops"
                      : "finishes"))
          .isEqualTo(row.subList(1, 6));
    }
  }
}
