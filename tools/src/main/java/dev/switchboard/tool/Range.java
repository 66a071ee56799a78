package dev.switchboard.tool;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The inclusive bounds of a number.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER})
public @interface Range {
  /// The least value.
  double min() default Double.NEGATIVE_INFINITY;

  /// The greatest value.
  double max() default Double.POSITIVE_INFINITY;
}
