/// Models behind OpenAI's chat completions, OpenAI's own and those of every compatible server.
@NullMarked
package dev.switchboard.openai;

import org.jspecify.annotations.NullMarked;
