/// An agent's file: TOML read into records and parts, every fault with its place.
@NullMarked
package dev.switchboard.config;

import org.jspecify.annotations.NullMarked;
