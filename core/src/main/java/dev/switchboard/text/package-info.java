/// Texts that people and files write: lengths of time.
@NullMarked
package dev.switchboard.text;

import org.jspecify.annotations.NullMarked;
