/// A person's consent to a call.
@NullMarked
package dev.switchboard.consent;

import org.jspecify.annotations.NullMarked;
