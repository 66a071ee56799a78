/// Guardrails at work: what they look for, and what they do with texts, calls, results and streams.
@NullMarked
package dev.switchboard.guard;

import org.jspecify.annotations.NullMarked;
