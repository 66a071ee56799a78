/// Programs of this machine as tools.
@NullMarked
package dev.switchboard.command;

import org.jspecify.annotations.NullMarked;
