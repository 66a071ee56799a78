/// The tools that agents need not bring along: memory, search and messages.
@NullMarked
package dev.switchboard.builtin;

import org.jspecify.annotations.NullMarked;
