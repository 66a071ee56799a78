package dev.switchboard.handler;

import dev.switchboard.tool.ToolMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a public method as a tool for [Tools#of]. The defaults are those of [Tool#typed], whose
/// builder has more options.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ToolMethod {
  /// What the tool does and when to use it, for the model.
  String value() default "";

  /// The tool's name; by default the method's.
  String name() default "";

  /// The tool's mode, at most one; by default the one that its name implies: `getOrder` like
  /// `get_order`.
  ToolMode[] mode() default {};

  /// Whether the schema is checked by OpenAI's strict rules, and strict mode is requested from
  /// model services.
  boolean strict() default false;

  /// Limits one attempt, as `500ms` or `10s`; by default 10 s.
  String timeout() default "";

  /// Limits the call, as `30s` or `2m`; by default what its attempts and pauses need, at least 30
  /// s.
  String deadline() default "";

  /// What the user sees if the tool has not answered after 1,500 ms; by default nothing.
  String reassurance() default "";

  /// A sentence for the prompt; by default none.
  String usageRule() default "";
}
