package dev.switchboard.json;

import dev.switchboard.kotlin.KotlinClass;
import dev.switchboard.kotlin.KotlinMember;
import dev.switchboard.kotlin.KotlinType;
import dev.switchboard.kotlin.OmittedArgument;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.type.TypeFactory;

/// Reads an object of a Kotlin class by its primary constructor, with its defaults.
final class KotlinReader extends ValueDeserializer<Object> {
  private final JavaType type;
  private final List<KotlinMember> members;
  private final boolean only;
  private final MethodHandle maker;

  /// @throws IllegalArgumentException when none can be made
  KotlinReader(JavaType type, KotlinClass kotlin) {
    this.type = type;
    members = kotlin.members();
    only = kotlin.kind() == KotlinClass.Kind.VALUE;
    maker = kotlin.maker();
  }

  @Override
  public @Nullable Object deserialize(JsonParser in, DeserializationContext context) {
    JsonNode tree = context.readTree(in);
    if (!only && !tree.isObject()) {
      return context.reportInputMismatch(type, "no object");
    }
    @Nullable Object[] values = new @Nullable Object[members.size()];
    for (int i = 0; i < values.length; i++) {
      KotlinMember member = members.get(i);
      String name = KotlinJson.name(type.getRawClass(), member);
      values[i] = value(member, name, only ? tree : tree.get(name), context);
    }
    try {
      return maker.invokeExact(values);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      return context.handleInstantiationProblem(type.getRawClass(), null, e);
    }
  }

  private @Nullable Object value(
      KotlinMember member, String name, @Nullable JsonNode node, DeserializationContext context) {
    if (node == null && member.defaulted()) {
      return OmittedArgument.VALUE;
    }
    if (node == null || node.isNull()) {
      return member.type().nullable()
          ? null
          : context.reportInputMismatch(type, "member '%s' is missing", name);
    }
    return context.readTreeAsValue(node, of(member.type(), context.getTypeFactory()));
  }

  private JavaType of(KotlinType use, TypeFactory types) {
    if (use.variable() != null) {
      JavaType bound = type.getBindings().findBoundType(use.variable());
      return bound == null ? types.constructType(Object.class) : bound;
    }
    JavaType[] arguments =
        use.arguments().stream().map(argument -> of(argument, types)).toArray(JavaType[]::new);
    if (use.raw().isArray()) {
      return arguments.length == 1
          ? types.constructArrayType(arguments[0])
          : types.constructType(use.raw());
    }
    return arguments.length == 0
        ? types.constructType(use.raw())
        : types.constructParametricType(use.raw(), arguments);
  }
}
