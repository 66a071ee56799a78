/// The rules for tools in agents' files.
@NullMarked
package dev.switchboard.config.rule;

import org.jspecify.annotations.NullMarked;
