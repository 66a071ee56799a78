/// Agents that converse: the loop, its effects, and the API that programs use.
@NullMarked
package dev.switchboard.agent;

import org.jspecify.annotations.NullMarked;
