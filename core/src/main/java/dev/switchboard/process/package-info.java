/// Programs of this machine that are ended together with what they start.
@NullMarked
package dev.switchboard.process;

import org.jspecify.annotations.NullMarked;
