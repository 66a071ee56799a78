/// A tool's parameters: the schema that a type or a text gives, with the plan by which every call's
/// arguments are checked.
@NullMarked
package dev.switchboard.schema;

import org.jspecify.annotations.NullMarked;
