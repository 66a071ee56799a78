/// A tool's parameters: their schema, from a type or a text, and the plan that checks every call's
/// arguments.
@NullMarked
package dev.switchboard.schema;

import org.jspecify.annotations.NullMarked;
