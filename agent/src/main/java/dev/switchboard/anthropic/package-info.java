/// Models behind Anthropic's messages API.
@NullMarked
package dev.switchboard.anthropic;

import org.jspecify.annotations.NullMarked;
