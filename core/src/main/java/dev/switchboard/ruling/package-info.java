/// The evaluation of rules: which calls are refused, what is offered, how a loop begins and ends,
/// and what is wrong with the rules.
@NullMarked
package dev.switchboard.ruling;

import org.jspecify.annotations.NullMarked;
