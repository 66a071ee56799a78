/// A tool's parameters: the schema that a type or a text gives, checked once when built, and the
/// one-pass check of every call's arguments against it.
@NullMarked
package dev.switchboard.schema;

import org.jspecify.annotations.NullMarked;
