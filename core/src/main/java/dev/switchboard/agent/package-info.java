/// Agents that converse: the loop as a step function, the world that it touches, and the face that
/// programs use.
@NullMarked
package dev.switchboard.agent;

import org.jspecify.annotations.NullMarked;
