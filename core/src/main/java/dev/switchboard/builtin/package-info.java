/// The built-in tools: memory, search and messages; and memory in a prompt.
@NullMarked
package dev.switchboard.builtin;

import org.jspecify.annotations.NullMarked;
