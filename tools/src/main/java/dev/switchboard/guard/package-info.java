/// The execution of guardrails: their checks, and their actions on texts, calls, results and
/// streams.
@NullMarked
package dev.switchboard.guard;

import org.jspecify.annotations.NullMarked;
