/// A conversation with an agent as a person sees it: sentences in, words and tool lines out.
@NullMarked
package dev.switchboard.cli.chat;

import org.jspecify.annotations.NullMarked;
