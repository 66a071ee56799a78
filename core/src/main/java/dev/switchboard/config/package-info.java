/// An agent's file: TOML read into records, every fault with its position.
@NullMarked
package dev.switchboard.config;

import org.jspecify.annotations.NullMarked;
