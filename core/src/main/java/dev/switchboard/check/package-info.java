/// The compiled check of JSON, and its binding to Java values: made from a stated schema, or piece
/// by piece from what describes a Java type. It knows JSON only, and uses no reflection.
@NullMarked
package dev.switchboard.check;

import org.jspecify.annotations.NullMarked;
