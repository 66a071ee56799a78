/// Test doubles for tools and agents.
@NullMarked
package dev.switchboard.testing;

import org.jspecify.annotations.NullMarked;
