/// Calls, results, modes, definitions and events as on the wire, and the policies that a tool may
/// state.
@NullMarked
package dev.switchboard.tool;

import org.jspecify.annotations.NullMarked;
