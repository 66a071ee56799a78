/// Agents on the phone.
@NullMarked
package dev.switchboard.phone;

import org.jspecify.annotations.NullMarked;
