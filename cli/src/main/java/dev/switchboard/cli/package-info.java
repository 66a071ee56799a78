/// The `switchboard` command: a class for each command, listed in [Commands].
@NullMarked
package dev.switchboard.cli;

import org.jspecify.annotations.NullMarked;
