/// The tools that agents need not bring along: memory, search and messages (seed 004, SPEC 8).
@NullMarked
package dev.switchboard.builtin;

import org.jspecify.annotations.NullMarked;
