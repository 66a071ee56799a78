/// Classes and functions written in Kotlin, as far as tools are made of them: which types are
/// nullable, what has a default, how objects are made. Read by `kotlin-reflect`, which is optional.
@NullMarked
package dev.switchboard.kotlin;

import org.jspecify.annotations.NullMarked;
