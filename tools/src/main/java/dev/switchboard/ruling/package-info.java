/// The evaluation of rules: refused calls, offered tools, the beginning and the end of the loop,
/// and faults of rules.
@NullMarked
package dev.switchboard.ruling;

import org.jspecify.annotations.NullMarked;
