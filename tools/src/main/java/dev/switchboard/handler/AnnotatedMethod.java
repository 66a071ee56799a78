package dev.switchboard.handler;

import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.kotlin.KotlinFunction;
import dev.switchboard.schema.ForeignAnnotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A method with an annotation that makes it a tool: our own, LangChain4j's or Spring AI's, which
/// are recognized by their names.
///
/// @param own our own annotation, null if it is another library's
/// @param unfollowed what the annotation requests that is not supported here, or null
record AnnotatedMethod(
    Method method,
    String name,
    String description,
    @Nullable ToolMethod own,
    @Nullable String unfollowed) {
  private static final String LANGCHAIN4J = "dev.langchain4j.agent.tool.Tool";
  private static final String SPRING_AI = "org.springframework.ai.tool.annotation.Tool";

  /// The annotated methods of the class, its superclasses and its interfaces, by name; the most
  /// specific one if several are annotated.
  static List<AnnotatedMethod> of(Class<?> type) {
    List<AnnotatedMethod> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Class<?> place : lineage(type)) {
      // A bridge method has the annotations of its target, which comes first.
      Method[] methods = place.getDeclaredMethods();
      Arrays.sort(methods, Comparator.comparing(Method::isBridge).thenComparing(Method::toString));
      for (Method method : methods) {
        AnnotatedMethod annotated = of(method);
        if (annotated != null
            && !isBridgeToAnother(method, methods)
            && seen.add(signature(method))
            && !method.isBridge()
            && !Kotlin.isOverload(method)) {
          found.add(annotated);
        }
      }
    }
    found.sort(Comparator.comparing(AnnotatedMethod::name));
    return found;
  }

  /// Whether it leads to a method of a superclass or an interface, not to one of these.
  private static boolean isBridgeToAnother(Method method, Method[] methods) {
    return method.isBridge()
        && Arrays.stream(methods)
            .noneMatch(other ->
                !other.isBridge()
                    && other.getName().equals(method.getName())
                    && other.getParameterCount() == method.getParameterCount());
  }

  private static Set<Class<?>> lineage(Class<?> type) {
    Set<Class<?>> lineage = new LinkedHashSet<>();
    for (Class<?> above = type; above != null; above = above.getSuperclass()) {
      lineage.add(above);
    }
    for (Class<?> each : List.copyOf(lineage)) {
      addInterfaces(each, lineage);
    }
    return lineage;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> lineage) {
    for (Class<?> each : type.getInterfaces()) {
      lineage.add(each);
      addInterfaces(each, lineage);
    }
  }

  private static String signature(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }

  private static @Nullable AnnotatedMethod of(Method method) {
    ToolMethod own = method.getAnnotation(ToolMethod.class);
    if (own != null) {
      return new AnnotatedMethod(method, named(own.name(), method), own.value(), own, null);
    }
    ForeignAnnotation other = ForeignAnnotation.find(LANGCHAIN4J, method.getAnnotations());
    if (other != null) {
      String returns = other.text("returnBehavior", "");
      boolean toModel = returns.isEmpty() || returns.equals("TO_LLM");
      String unfollowed = toModel ? null : "returnBehavior";
      String description = other.text("value", "\n");
      return new AnnotatedMethod(method, named(other, method), description, null, unfollowed);
    }
    other = ForeignAnnotation.find(SPRING_AI, method.getAnnotations());
    if (other == null) {
      return null;
    }
    boolean direct = Boolean.TRUE.equals(other.attribute("returnDirect"));
    String converter = other.text("resultConverter", "");
    boolean converts =
        !converter.isEmpty() && !converter.endsWith(".DefaultToolCallResultConverter");
    String unfollowed = direct ? "returnDirect" : converts ? "resultConverter" : null;
    String description = other.text("description", "");
    return new AnnotatedMethod(method, named(other, method), description, null, unfollowed);
  }

  private static String named(ForeignAnnotation annotation, Method method) {
    return named(annotation.text("name", ""), method);
  }

  private static String named(String stated, Method method) {
    return stated.isEmpty() ? Kotlin.nameOf(method) : stated;
  }

  /// Why it cannot be a tool, a sentence, or null.
  @Nullable String fault() {
    if (unfollowed != null) {
      return fault("has @Tool with " + unfollowed + ", which tools here do not follow");
    }
    if (!Modifier.isPublic(method.getModifiers())) {
      return fault("must be public");
    }
    boolean kotlin = Kotlin.isKotlin(method.getDeclaringClass());
    if (Modifier.isStatic(method.getModifiers())) {
      return fault(
          "must not be static: "
              + (kotlin
                  ? "leave out @JvmStatic, and give the object or companion object"
                  : "a tool is a method of the object"));
    }
    if (own != null && own.mode().length > 1) {
      return fault("states more than one mode");
    }
    return kotlin ? faultOfKotlin() : null;
  }

  private @Nullable String faultOfKotlin() {
    try {
      KotlinFunction function = Kotlin.of(method);
      String rest = function == null ? null : function.fault();
      return rest == null ? null : fault(rest);
    } catch (IllegalArgumentException e) {
      return fault(String.valueOf(e.getMessage()));
    }
  }

  /// A sentence about the method that ends so.
  String fault(String rest) {
    return "tool '%s': the method %s %s.".formatted(name, place(), rest);
  }

  /// Where it is declared.
  String place() {
    return method.getDeclaringClass().getTypeName() + '.' + method.getName();
  }
}
