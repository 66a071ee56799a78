/// An agent's file: TOML read into records, with the position of every fault.
@NullMarked
package dev.switchboard.config;

import org.jspecify.annotations.NullMarked;
