/// Local programs as tools.
@NullMarked
package dev.switchboard.command;

import org.jspecify.annotations.NullMarked;
