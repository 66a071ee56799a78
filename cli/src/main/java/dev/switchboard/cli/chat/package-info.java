/// A conversation with an agent on a terminal: messages as input, text and tool calls as output.
@NullMarked
package dev.switchboard.cli.chat;

import org.jspecify.annotations.NullMarked;
