/// The built-in tools: memory, search and messages.
@NullMarked
package dev.switchboard.builtin;

import org.jspecify.annotations.NullMarked;
