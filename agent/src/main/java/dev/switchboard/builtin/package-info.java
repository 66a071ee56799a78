/// The built-in tools for memory, search and messages; and memory in a prompt.
@NullMarked
package dev.switchboard.builtin;

import org.jspecify.annotations.NullMarked;
