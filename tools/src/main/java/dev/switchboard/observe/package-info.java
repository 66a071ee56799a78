/// Listeners that record what happened: the audit log and flight recorder events.
@NullMarked
package dev.switchboard.observe;

import org.jspecify.annotations.NullMarked;
