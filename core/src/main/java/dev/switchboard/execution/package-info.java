/// The one door: every call comes in here, passes the stages in order, and leaves with exactly one
/// result.
@NullMarked
package dev.switchboard.execution;

import org.jspecify.annotations.NullMarked;
