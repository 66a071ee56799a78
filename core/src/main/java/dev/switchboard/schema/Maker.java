package dev.switchboard.schema;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What makes a record of its components' values.
final class Maker {
  /// Stands where a record could not be reached; its tool is never built.
  static final Maker NOTHING =
      new Maker(
          MethodHandles.dropArguments(
              MethodHandles.constant(Object.class, null), 0, Object[].class),
          List.of());

  private final MethodHandle constructor;
  private final @Nullable Object[] blank;
  private final Absent[] absent;
  private final boolean fresh;

  /// @param constructor takes an array of objects, returns an object
  /// @param absent what each component gets that is left out
  Maker(MethodHandle constructor, List<Absent> absent) {
    this.constructor = constructor;
    this.absent = absent.toArray(Absent[]::new);
    blank = new Object[this.absent.length];
    boolean anyFresh = false;
    for (int i = 0; i < blank.length; i++) {
      switch (this.absent[i]) {
        case Absent.Constant(var value) -> blank[i] = value;
        case Absent.Fresh _fresh -> anyFresh = true;
      }
    }
    fresh = anyFresh;
  }

  /// What calls the record's canonical constructor, also a private record's.
  ///
  /// @throws IllegalAccessException when the record's module does not open its package
  static Maker of(Constructor<?> constructor, List<Absent> absent) throws IllegalAccessException {
    Class<?> owner = constructor.getDeclaringClass();
    MethodHandle handle =
        MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
            .unreflectConstructor(constructor);
    MethodHandle generic = handle.asFixedArity().asType(handle.type().generic());
    return new Maker(generic.asSpreader(Object[].class, absent.size()), absent);
  }

  /// Room for the values, with what stands for those left out.
  @Nullable Object[] values() {
    return blank.clone();
  }

  /// The record.
  ///
  /// @throws Mismatch when its constructor refuses the values
  Object make(@Nullable Object[] values) {
    if (fresh) {
      fillIn(values);
    }
    try {
      return constructor.invokeExact(values);
    } catch (StackOverflowError e) {
      // A constructor's own pattern can overflow on a long text, which is the text's fault.
      throw Mismatch.refusedByConstructor(e);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw Mismatch.refusedByConstructor(e);
    }
  }

  private void fillIn(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        values[i] = absent[i].value();
      }
    }
  }
}
