/// The rules an agent's calls are held to, as values.
@NullMarked
package dev.switchboard.rule;

import org.jspecify.annotations.NullMarked;
