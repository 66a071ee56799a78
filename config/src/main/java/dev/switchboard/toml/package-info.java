/// The reading of TOML, in bounded time whatever the text is.
@NullMarked
package dev.switchboard.toml;

import org.jspecify.annotations.NullMarked;
