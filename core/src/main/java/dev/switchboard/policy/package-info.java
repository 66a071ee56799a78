/// When a person has to agree to a call, and which consent lasts.
@NullMarked
package dev.switchboard.policy;

import org.jspecify.annotations.NullMarked;
