package dev.switchboard.handler;

import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.kotlin.KotlinFunction;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.text.Durations;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolSchemaException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes tools from annotated methods: [ToolMethod], LangChain4j's `@Tool` or Spring AI's `@Tool`.
public final class Tools {
  private final List<Tool> tools = new ArrayList<>();
  private final Map<String, String> places = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private @Nullable String firstFaulty;

  private Tools() {}

  /// The tools of these objects, sorted by name for each object. A method's parameters are like a
  /// record's components; one of the type [ToolContext] receives the context of the call. Results
  /// and exceptions are as in a [ToolHandler].
  ///
  /// Annotations of superclasses and interfaces count, so a proxy, such as Spring's, has the tools
  /// of its object.
  ///
  /// @throws ToolSchemaException with every fault: an object without such a method, two tools of
  ///   one name, a method that is static or not public, a parameter without a name or a JSON Schema
  public static List<Tool> of(Object... objects) {
    Tools collected = new Tools();
    for (Object object : objects) {
      collected.add(object);
    }
    if (collected.firstFaulty != null) {
      throw new ToolSchemaException(collected.firstFaulty, collected.faults);
    }
    return List.copyOf(collected.tools);
  }

  private void add(Object object) {
    List<AnnotatedMethod> methods = AnnotatedMethod.of(object.getClass());
    if (methods.isEmpty()) {
      String name = object.getClass().getTypeName();
      fault(name, List.of(withoutTools(object, name)));
    }
    for (AnnotatedMethod method : methods) {
      String other = places.putIfAbsent(method.name(), method.place());
      String fault =
          other == null
              ? method.fault()
              : method.fault("has the name of another tool, the method " + other);
      if (fault == null) {
        add(object, method);
      } else {
        fault(method.name(), List.of(fault));
      }
    }
  }

  private static String withoutTools(Object object, String name) {
    String remedy =
        switch (object) {
          case Class<?> type -> "give an object of " + type.getTypeName() + ", not the class";
          case Tool tool -> "'" + tool.name() + "' is a tool already";
          default ->
              Proxy.isProxyClass(object.getClass())
                  ? "a proxy has the annotations of its interfaces only"
                  : "give an object that has one";
        };
    return "%s has no method with the annotation @ToolMethod: %s.".formatted(name, remedy);
  }

  private void add(Object object, AnnotatedMethod method) {
    try {
      tools.add(builder(method).answeredBy(handler(object, method)));
    } catch (ToolSchemaException e) {
      fault(method.name(), e.faults());
    } catch (IllegalArgumentException e) {
      fault(method.name(), List.of(String.valueOf(e.getMessage())));
    }
  }

  private void fault(String tool, List<String> sentences) {
    firstFaulty = firstFaulty == null ? tool : firstFaulty;
    faults.addAll(sentences);
  }

  private static ToolBuilder<?> builder(AnnotatedMethod method) {
    String name = method.name();
    Tool.TypedBuilder<Object[], Object> builder =
        new Tool.TypedBuilder<>(
            name, strict -> ParameterSchema.of(name, method.method(), ToolContext.class, strict));
    builder.description(method.description());
    ToolMethod own = method.own();
    if (own != null) {
      stated(own, builder, method);
    }
    return builder;
  }

  private static void stated(ToolMethod own, ToolBuilder<?> builder, AnnotatedMethod method) {
    for (ToolMode mode : own.mode()) {
      builder.mode(mode);
    }
    if (own.strict()) {
      builder.strict();
    }
    length("timeout", own.timeout(), builder::timeout, method);
    length("deadline", own.deadline(), builder::deadline, method);
    if (!own.reassurance().isEmpty()) {
      builder.reassurance(own.reassurance());
    }
    if (!own.usageRule().isEmpty()) {
      builder.usageRule(own.usageRule());
    }
  }

  private static void length(
      String what, String stated, Consumer<Duration> taker, AnnotatedMethod method) {
    if (!stated.isEmpty()) {
      Duration length = Durations.parse(stated);
      if (length == null) {
        throw new IllegalArgumentException(
            method.fault("has a " + what + " that is not " + Durations.FORMS));
      }
      taker.accept(length);
    }
  }

  private static ToolHandler.Typed<@Nullable Object[]> handler(
      Object object, AnnotatedMethod annotated) {
    KotlinFunction kotlin = Kotlin.of(annotated.method());
    if (kotlin != null) {
      KotlinFunction.Called called = called(kotlin, object.getClass(), annotated);
      Class<?>[] parameters = kotlin.types();
      return (bound, context) ->
          result(values -> called.call(object, values), all(parameters, bound, context));
    }
    MethodHandle handle = handle(annotated).bindTo(object);
    MethodHandle called =
        handle
            .asType(handle.type().generic())
            .asSpreader(Object[].class, handle.type().parameterCount());
    Class<?>[] parameters = annotated.method().getParameterTypes();
    return (bound, context) ->
        result(values -> called.invokeExact(values), all(parameters, bound, context));
  }

  private static KotlinFunction.Called called(
      KotlinFunction kotlin, Class<?> type, AnnotatedMethod annotated) {
    try {
      return kotlin.called(type);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(annotated.fault(String.valueOf(e.getMessage())), e);
    }
  }

  private static MethodHandle handle(AnnotatedMethod annotated) {
    Method method = annotated.method();
    Class<?> owner = method.getDeclaringClass();
    Module library = Tools.class.getModule();
    library.addReads(owner.getModule());
    try {
      boolean open = owner.getModule().isOpen(owner.getPackageName(), library);
      MethodHandles.Lookup lookup =
          open
              ? MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
              : MethodHandles.publicLookup();
      return lookup.unreflect(method).asFixedArity();
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(
          annotated.fault(
              "is in a package that is not open to this library: its module-info.java needs `opens "
                  + owner.getPackageName()
                  + " to dev.switchboard.tools;`, or `open module`"),
          e);
    }
  }

  private static @Nullable Object[] all(
      Class<?>[] parameters, @Nullable Object[] bound, ToolContext context) {
    @Nullable Object[] all = new @Nullable Object[parameters.length];
    int next = 0;
    for (int i = 0; i < all.length; i++) {
      all[i] = parameters[i] == ToolContext.class ? context : bound[next++];
    }
    return all;
  }

  /// A method that can be called.
  private interface Callable {
    @Nullable Object call(@Nullable Object[] values) throws Throwable;
  }

  private static @Nullable Object result(Callable method, @Nullable Object[] values)
      throws Exception {
    try {
      return method.call(values);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e);
    }
  }
}
