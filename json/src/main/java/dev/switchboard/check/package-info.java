/// The compiled check of JSON and its binding to Java values. It knows only JSON, and uses no
/// reflection.
@NullMarked
package dev.switchboard.check;

import org.jspecify.annotations.NullMarked;
