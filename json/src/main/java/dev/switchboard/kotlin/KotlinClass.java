package dev.switchboard.kotlin;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KCallable;
import kotlin.reflect.KClass;
import kotlin.reflect.KFunction;
import kotlin.reflect.KProperty;
import kotlin.reflect.KVisibility;
import org.jspecify.annotations.Nullable;

/// A class written in Kotlin. Its faults are clauses: "is the Kotlin class ..".
public final class KotlinClass {
  /// What a class is, for JSON.
  public enum Kind {
    /// Members: the parameters of its primary constructor.
    DATA,
    /// The only instance of its class, without members.
    OBJECT,
    /// One value in another type (`@JvmInline`).
    VALUE,
    /// One of several other classes.
    SEALED,
    /// Anything else.
    OTHER
  }

  private final Class<?> type;
  private final KClass<?> read;
  private final Reflection reflection;
  private final @Nullable KFunction<?> constructor;
  private final Kind kind;

  private KotlinClass(Class<?> type, Reflection reflection) {
    this.type = type;
    this.reflection = reflection;
    read = JvmClassMappingKt.getKotlinClass(type);
    constructor = reflection.primaryConstructor(read);
    kind = kindOf();
  }

  /// @throws IllegalArgumentException when it cannot be read
  static KotlinClass read(Class<?> type) {
    String instead = KotlinLibrary.instead(type);
    if (instead != null) {
      throw new IllegalArgumentException(instead);
    }
    Reflection found = Reflection.found();
    if (found == null) {
      throw new IllegalArgumentException(
          "is the Kotlin class " + type.getTypeName() + ", " + Reflection.MISSING);
    }
    return Reflection.reading(type, () -> new KotlinClass(type, found));
  }

  private Kind kindOf() {
    if (read.isValue()) {
      return Kind.VALUE;
    }
    if (instance() != null) {
      return Kind.OBJECT;
    }
    if (read.isData() && constructor != null) {
      return Kind.DATA;
    }
    return read.isSealed() ? Kind.SEALED : Kind.OTHER;
  }

  /// What it is.
  public Kind kind() {
    return kind;
  }

  private @Nullable Object instance() {
    try {
      var field = type.getDeclaredField("INSTANCE");
      if (!Modifier.isStatic(field.getModifiers()) || field.getType() != type) {
        return null;
      }
      field.setAccessible(true);
      return field.get(null);
    } catch (NoSuchFieldException e) {
      return null;
    } catch (IllegalAccessException | InaccessibleObjectException e) {
      throw new IllegalArgumentException(closed(), e);
    }
  }

  /// The members of a class of data, the only one of a class of values; none of an object.
  ///
  /// @throws IllegalArgumentException when one of them cannot be read
  public List<KotlinMember> members() {
    return constructor == null || kind == Kind.OBJECT
        ? List.of()
        : Reflection.reading(type, () -> new Callable(constructor).members(this::ofProperty));
  }

  private List<Annotation> ofProperty(String name) {
    List<Annotation> annotations = new ArrayList<>();
    for (KCallable<?> member : read.getMembers()) {
      if (member instanceof KProperty<?> property && property.getName().equals(name)) {
        annotations.addAll(property.getAnnotations());
        annotations.addAll(property.getGetter().getAnnotations());
      }
    }
    try {
      annotations.addAll(List.of(type.getDeclaredField(name).getAnnotations()));
    } catch (NoSuchFieldException e) {
      // A property whose value is computed.
    }
    return annotations;
  }

  /// Takes an array of the members' values, [OmittedArgument#VALUE] for a default.
  ///
  /// @throws IllegalArgumentException when none can be made
  public MethodHandle maker() {
    if (kind == Kind.OBJECT) {
      Object only = Objects.requireNonNull(instance());
      return MethodHandles.dropArguments(
          MethodHandles.constant(Object.class, only), 0, Object[].class);
    }
    KFunction<?> found = Objects.requireNonNull(constructor);
    requireVisible(found);
    requireNothingLate();
    try {
      reflection.makeAccessible(found);
      return Reflection.reading(type, () -> new Callable(found).maker());
    } catch (InaccessibleObjectException e) {
      throw new IllegalArgumentException(closed(), e);
    }
  }

  private void requireVisible(KFunction<?> found) {
    KVisibility visibility = found.getVisibility();
    if (visibility == KVisibility.PRIVATE || visibility == KVisibility.PROTECTED) {
      throw new IllegalArgumentException(
          called() + " with a private constructor: make that public or internal");
    }
  }

  private void requireNothingLate() {
    for (KCallable<?> member : read.getMembers()) {
      if (member instanceof KProperty<?> property && property.isLateinit()) {
        throw new IllegalArgumentException(
            called()
                + " with the lateinit property '"
                + property.getName()
                + "', which no call sets: make it a parameter of the constructor");
      }
    }
  }

  /// The classes of a sealed one that are not sealed themselves.
  public Set<Class<?>> variants() {
    return Reflection.reading(
        type,
        () -> {
          Set<Class<?>> variants = new LinkedHashSet<>();
          addVariants(read, variants);
          return variants;
        });
  }

  private static void addVariants(KClass<?> sealed, Set<Class<?>> variants) {
    for (KClass<?> variant : sealed.getSealedSubclasses()) {
      if (variant.isSealed()) {
        addVariants(variant, variants);
      } else {
        variants.add(JvmClassMappingKt.getJavaClass(variant));
      }
    }
  }

  /// Why a class of the kind [Kind#OTHER] has no JSON Schema.
  public String fault() {
    return called()
        + (read.isAbstract() || type.isInterface()
            ? ", which is not sealed: make it sealed, and its classes data classes or objects"
            : ", which is not a data class: declare it as `data class`");
  }

  /// The fault of a package that is not open.
  public String closed() {
    return called()
        + ", whose package is not open: its module-info.java needs `opens "
        + type.getPackageName()
        + " to dev.switchboard.json, dev.switchboard.tools, kotlin.reflect,"
        + " tools.jackson.databind;`, or `open module`";
  }

  private String called() {
    return "is the Kotlin class " + type.getTypeName();
  }
}
