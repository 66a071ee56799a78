package dev.switchboard.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Doc;
import dev.switchboard.tool.Range;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.tool.ToolSchemaException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.ai.tool.annotation.ToolParam;

class ToolsTest {
  record Slot(@Doc("Day") LocalDate day, @Range(min = 1, max = 20) int guests) {}

  static class Bistro {
    private int calls;

    @ToolMethod(
        value = "Free tables.",
        mode = ToolMode.READ,
        deadline = "3s",
        timeout = "500ms",
        reassurance = "Let me check...",
        usageRule = "Check before you book.")
    public List<String> checkTable(
        @Doc("Day") LocalDate day, ToolContext context, @Range(min = 1, max = 20) int guests) {
      calls++;
      return List.of(day + " for " + guests + " in " + context.conversationId());
    }

    @ToolMethod
    public void removeBooking(String id) {
      calls++;
    }

    @ToolMethod(name = "wait", strict = true)
    public CompletionStage<String> await(ToolContext context) {
      return CompletableFuture.completedStage("attempt " + context.attempt());
    }

    @ToolMethod
    public String say(String... words) throws IOException {
      if (words.length == 0) {
        throw new IOException("secret");
      }
      throw new ToolException(String.join(" ", words));
    }

    public void noTool() {}
  }

  private static Tool tool(Object object, String name) {
    return Tools.of(object).stream()
        .filter(tool -> tool.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  private static ToolResult call(Tool tool, String arguments) {
    return ToolExecutor.of(tool).execute(ToolCall.of(tool.name(), arguments));
  }

  @Test
  void areTheAnnotatedMethodsInTheOrderOfTheirNames() {
    assertThat(Tools.of(new Bistro()))
        .extracting(Tool::name)
        .containsExactly("checkTable", "removeBooking", "say", "wait");
  }

  @Test
  void haveTheDefinitionOfTheTypedToolWithTheseComponents() {
    Tool method = tool(new Bistro(), "checkTable");
    Tool typed =
        Tool.typed("checkTable", Slot.class)
            .description("Free tables.")
            .mode(ToolMode.READ)
            .usageRule("Check before you book.")
            .deadline(Duration.ofSeconds(3))
            .timeout(Duration.ofMillis(500))
            .reassurance("Let me check...")
            .handler(slot -> slot);

    assertThat(method.definition()).isEqualTo(typed.definition());
    assertThat(method.options()).isEqualTo(typed.options());
    assertThat(method.options().reassurance()).isEqualTo(Reassurance.of("Let me check..."));
  }

  @Test
  void inferTheModeFromAMethodsNameToo() {
    assertThat(tool(new Bistro(), "removeBooking").definition().mode())
        .isEqualTo(ToolMode.DESTRUCTIVE);
    assertThat(tool(new Bistro(), "say").definition().mode()).isEqualTo(ToolMode.EXTERNAL);
  }

  @Test
  void areCalledWithBoundArgumentsAndTheContext() {
    Bistro bistro = new Bistro();
    Tool tool = tool(bistro, "checkTable");

    assertThat(call(tool, "{\"day\":\"2026-03-14\",\"guests\":4}").text())
        .startsWith("[\"2026-03-14 for 4 in ");
    assertThat(call(tool, "{\"day\":\"2026-03-14\",\"guests\":40}").faults())
        .singleElement()
        .asString()
        .contains("/guests", "between 1 and 20");
    assertThat(bistro.calls).isEqualTo(1);
  }

  @Test
  void answerAsHandlersDo() {
    assertThat(call(tool(new Bistro(), "removeBooking"), "{\"id\":\"a\"}").text())
        .isEqualTo(call(Tool.dynamic("removeBooking").handler(arguments -> null), "{}").text());
    assertThat(call(tool(new Bistro(), "wait"), "{}").text()).isEqualTo("attempt 1");
    assertThat(call(tool(new Bistro(), "say"), "{\"words\":[\"Not\",\"now\"]}").error())
        .contains("Not now");
    Tool say = tool(new Bistro(), "say");
    ToolExecutor once =
        ToolExecutor.builder()
            .tools(say)
            .defaults(ToolDefaults.NONE.withRetry(RetryPolicy.NONE))
            .build();
    assertThat(once.execute(ToolCall.of("say", "{\"words\":[]}")).error())
        .isEqualTo("Tool failed after 1 attempt: internal error (IOException)");
    assertThat(call(say, "{\"words\":[null]}").code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(tool(new Bistro(), "wait").definition().strict()).isTrue();
  }

  @Test
  void workForAnAgent() {
    ScriptedModel model =
        new ScriptedModel()
            .calls("checkTable", "{\"day\":\"2026-03-14\",\"guests\":4}")
            .says("There is a table.");
    Agent agent = Agent.builder("Host").model(model).tools(Tools.of(new Bistro())).build();

    assertThat(agent.conversation("c1").say("A table for four?"))
        .isEqualTo(new Turn.Reply("There is a table."));
    assertThat(((Message.Result) model.requests().get(1).messages().getLast()).text())
        .isEqualTo("[\"2026-03-14 for 4 in c1\"]");
    assertThat(ToolRegistry.of(Tools.of(new Bistro())).find("say")).isNotNull();
  }

  static final class LangChain4jTools {
    @dev.langchain4j.agent.tool.Tool({"Adds two numbers.", "Whole ones."})
    public int add(@P("First") int a, @P(value = "Second", required = false) Integer b) {
      return a + (b == null ? 0 : b);
    }

    @dev.langchain4j.agent.tool.Tool(name = "get_zero")
    public int zero() {
      return 0;
    }
  }

  static final class SpringTools {
    @org.springframework.ai.tool.annotation.Tool(description = "Adds two numbers.")
    public int add(
        @ToolParam(description = "First") int a, @ToolParam(required = false) Integer b) {
      return a + (b == null ? 0 : b);
    }
  }

  @Test
  void areMadeByTheAnnotationsOfLangChain4jAndSpringAi() {
    Tool add = tool(new LangChain4jTools(), "add");
    assertThat(add.definition().description()).isEqualTo("Adds two numbers.\nWhole ones.");
    assertThat(add.definition().parameters().text()).contains("\"description\":\"Second\"");
    assertThat(call(add, "{\"a\":1,\"b\":2}").text()).isEqualTo("3");
    assertThat(tool(new LangChain4jTools(), "get_zero").definition().mode())
        .isEqualTo(ToolMode.READ);

    Tool spring = tool(new SpringTools(), "add");
    assertThat(spring.definition().description()).isEqualTo("Adds two numbers.");
    assertThat(call(spring, "{\"a\":1}").text()).isEqualTo("1");
  }

  interface Clock {
    @ToolMethod("The time.")
    default String time(@Doc("Where") String city) {
      return city;
    }
  }

  interface Finder<T> {
    Object find(T what);
  }

  static class Slow implements Clock, Finder<Slot> {
    @Override
    @ToolMethod
    public Slot find(Slot what) {
      return what;
    }
  }

  /// Made as a proxy of Spring's is: a subclass that overrides and knows of no annotation.
  static class Proxied extends Slow {
    @Override
    public Slot find(Slot what) {
      return new Slot(what.day(), what.guests() + 1);
    }

    @Override
    public String time(String city) {
      return "late in " + super.time(city);
    }
  }

  @Test
  void areFoundAboveTheObjectsClassAndCallWhatOverrides() {
    assertThat(Tools.of(new Proxied())).extracting(Tool::name).containsExactly("find", "time");
    assertThat(call(tool(new Proxied(), "time"), "{\"city\":\"Oslo\"}").text())
        .isEqualTo("late in Oslo");
    assertThat(
            call(tool(new Proxied(), "find"), "{\"what\":{\"day\":\"2026-03-14\",\"guests\":4}}")
                .text())
        .contains("5");
  }

  @Test
  void areFoundOnTheInterfacesOfAProxy() {
    Object proxy =
        Proxy.newProxyInstance(
            Clock.class.getClassLoader(),
            new Class<?>[] {Clock.class},
            (self, method, arguments) -> "now in " + arguments[0]);

    assertThat(call(tool(proxy, "time"), "{\"city\":\"Oslo\"}").text()).isEqualTo("now in Oslo");
  }

  static final class Faulty {
    @ToolMethod
    public void twice(String a) {}

    @ToolMethod(name = "twice")
    public void other(int a) {}

    @ToolMethod
    void hidden() {}

    @ToolMethod
    public static void still() {}

    @ToolMethod
    public <T> void open(T any, Thread thread) {}

    @ToolMethod(timeout = "soon")
    public void late() {}

    @ToolMethod(mode = {ToolMode.READ, ToolMode.LOCAL})
    public void torn() {}

    @ToolMethod(name = "no good")
    public void named() {}

    @dev.langchain4j.agent.tool.Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
    public void immediate() {}

    @org.springframework.ai.tool.annotation.Tool(returnDirect = true)
    public void direct() {}
  }

  @Test
  void sayEveryFaultAtOnce() {
    String place = "method " + Faulty.class.getTypeName() + ".";
    assertThatThrownBy(() -> Tools.of(new Faulty(), "text"))
        .isInstanceOfSatisfying(
            ToolSchemaException.class,
            thrown ->
                assertThat(thrown.faults())
                    .containsExactlyInAnyOrder(
                        "tool 'direct': the %sdirect has @Tool with returnDirect, which tools here do not follow."
                            .formatted(place),
                        "tool 'hidden': the %shidden must be public.".formatted(place),
                        "tool 'immediate': the %simmediate has @Tool with returnBehavior, which tools here do not follow."
                            .formatted(place),
                        "tool 'late': the %slate has a timeout that is not a duration such as \"500ms\", \"30s\", \"5m\" or a number of seconds."
                            .formatted(place),
                        "tool 'no good': the name must be 1 to 64 letters, digits, '_' or '-'",
                        "tool 'open': `parameters.properties.any` has the open type variable T.",
                        "tool 'open': `parameters.properties.thread` is of the type"
                            + " java.lang.Thread, which has no JSON Schema here.",
                        "tool 'still': the %sstill must not be static: a tool is a method of the object."
                            .formatted(place),
                        "tool 'torn': the %storn states more than one mode.".formatted(place),
                        "tool 'twice': the %stwice has the name of another tool, the %sother."
                            .formatted(place, place),
                        "java.lang.String has no method with the annotation @ToolMethod: give an"
                            + " object that has one."));
  }

  @Test
  void sayWhatToGiveInsteadOfAnObjectWithoutThem() {
    assertThatThrownBy(() -> Tools.of(Bistro.class))
        .hasMessageContaining("give an object of " + Bistro.class.getTypeName());
    assertThatThrownBy(() -> Tools.of(Tool.dynamic("x").handler(Json::text)))
        .hasMessageContaining("'x' is a tool already");
    Object proxy =
        Proxy.newProxyInstance(
            Runnable.class.getClassLoader(), new Class<?>[] {Runnable.class}, (a, b, c) -> null);
    assertThatThrownBy(() -> Tools.of(proxy)).hasMessageContaining("its interfaces only");
  }

  static class Hidden {
    @ToolMethod
    public String ping() {
      return "pong";
    }
  }

  /// For a public class the compiler repeats the method, as a bridge with its annotations.
  public static class Shown extends Hidden {}

  @Test
  void aMethodThatAPublicClassInheritsFromAHiddenOneIsATool() {
    ToolExecutor executor = ToolExecutor.of(Tools.of(new Shown()));
    assertThat(executor.execute(ToolCall.of("ping", "{}")).text()).isEqualTo("pong");
  }
}
