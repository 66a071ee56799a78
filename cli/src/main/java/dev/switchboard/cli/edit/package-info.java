/// Changes of an agent's file that leave every byte beside them as it was.
@NullMarked
package dev.switchboard.cli.edit;

import org.jspecify.annotations.NullMarked;
