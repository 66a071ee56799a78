package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Services;
import dev.switchboard.handler.ToolContext;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds `docs/how-to/what-a-handler-gets.md` to what a handler gets.
class HandlerPageTest {
  private static final Pattern CALL = Pattern.compile("context\\.(services\\(\\)\\.)?(\\w+)\\(");

  @Test
  void theFirstTableNamesEveryMethod() throws IOException {
    Page page = Page.named("docs/how-to/what-a-handler-gets.md");
    Set<String> named =
        page.rows().stream()
            .map(List::getLast)
            .flatMap(cell -> CALL.matcher(cell).results())
            .map(HandlerPageTest::name)
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> methods = new TreeSet<>(names(ToolContext.class, ""));
    methods.addAll(names(Services.class, "services."));
    methods.remove("services.agent");
    assertThat(named).isEqualTo(methods);
  }

  private static String name(MatchResult call) {
    return (call.group(1) == null ? "" : "services.") + call.group(2);
  }

  private static List<String> names(Class<?> type, String prefix) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(Method::getName)
        .filter(name -> !name.startsWith("with"))
        .map(name -> prefix + name)
        .toList();
  }
}
