/// Asking a person before a call runs.
@NullMarked
package dev.switchboard.consent;

import org.jspecify.annotations.NullMarked;
