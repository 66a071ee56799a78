/// One call from its first ring to its end: who speaks, what was heard, which tools run.
@NullMarked
package dev.switchboard.phone.call;

import org.jspecify.annotations.NullMarked;
