/// What rules come to: which calls are refused, what is offered, how a loop begins and ends, and
/// what is wrong with rules as a whole.
@NullMarked
package dev.switchboard.ruling;

import org.jspecify.annotations.NullMarked;
