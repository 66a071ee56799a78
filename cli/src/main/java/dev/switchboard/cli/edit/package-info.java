/// Changes of an agent's file that keep the bytes of all other parts.
@NullMarked
package dev.switchboard.cli.edit;

import org.jspecify.annotations.NullMarked;
