/// The `switchboard` command: one class a command, listed in [Commands].
@NullMarked
package dev.switchboard.cli;

import org.jspecify.annotations.NullMarked;
