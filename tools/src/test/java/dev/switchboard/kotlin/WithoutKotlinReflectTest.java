package dev.switchboard.kotlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolMethod;
import dev.switchboard.handler.Tools;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolSchemaException;
import kotlin.Metadata;
import kotlin.Unit;
import kotlin.time.Duration;
import org.junit.jupiter.api.Test;

/// `kotlin-reflect` is not on the class path here; `beside/kotlin` has it, and Kotlin's compiler.
class WithoutKotlinReflectTest {
  // A class file of Kotlin, as far as it is recognized.
  @Metadata(k = 1)
  record Slot(String day) {}

  record Wait(Duration length) {}

  record City(String name) {}

  @Metadata(k = 1)
  public static class Desk {
    @ToolMethod
    public String book(String day) {
      return day;
    }
  }

  @Test
  void aKotlinClassIsRefusedWithTheArtifactThatIsMissing() {
    String sentence =
        "tool 'book': `parameters` is the Kotlin class "
            + Slot.class.getTypeName()
            + ", which is read by kotlin-reflect: add org.jetbrains.kotlin:kotlin-reflect, in the"
            + " version of your Kotlin compiler.";
    assertThatThrownBy(() -> Tool.typed("book", Slot.class).handler(Slot::day))
        .isInstanceOf(ToolSchemaException.class)
        .hasMessage(sentence);
    assertThatThrownBy(() -> Tool.typed("book", City.class).returns(Slot.class))
        .isInstanceOf(ToolSchemaException.class)
        .hasMessageContaining("org.jetbrains.kotlin:kotlin-reflect");
  }

  @Test
  void aKotlinFunctionIsRefusedWithTheArtifactThatIsMissing() {
    assertThatThrownBy(() -> Tools.of(new Desk()))
        .isInstanceOf(ToolSchemaException.class)
        .hasMessageContaining(
            "Desk.book is a Kotlin function, which is read by kotlin-reflect: add")
        .hasMessageContaining("org.jetbrains.kotlin:kotlin-reflect");
  }

  @Test
  void typesOfKotlinsLibraryAreRefusedWithThoseOfJava() {
    assertThatThrownBy(() -> Tool.typed("wait", Wait.class).handler(wait -> "done"))
        .hasMessageContaining(
            "`parameters.properties.length` is of the type kotlin.time.Duration, which has no JSON"
                + " Schema here: use java.time.Duration.");
  }

  @Test
  void answersOfKotlinClassesAreWrittenAsJacksonDoes() {
    assertThat(Json.of(new Slot("Monday")).text()).isEqualTo("{\"day\":\"Monday\"}");
  }

  @Test
  void aHandlerWithoutAResultAnswersNull() {
    Tool tool = Tool.dynamic("ping").handler(arguments -> Unit.INSTANCE);
    assertThat(ToolExecutor.of(tool).execute(ToolCall.of("ping", "{}")).text()).isEqualTo("null");
  }
}
