/// The execution pipeline: every call arrives here, passes the stages in order, and gets exactly
/// one result.
@NullMarked
package dev.switchboard.execution;

import org.jspecify.annotations.NullMarked;
