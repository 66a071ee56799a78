/// The words on the wire: calls, results, modes, definitions, events, and the policies a tool may
/// state.
@NullMarked
package dev.switchboard.tool;

import org.jspecify.annotations.NullMarked;
