/// When a call needs a person's consent, and which consent lasts.
@NullMarked
package dev.switchboard.policy;

import org.jspecify.annotations.NullMarked;
