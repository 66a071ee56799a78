/// Models behind OpenAI's chat completions API and compatible servers.
@NullMarked
package dev.switchboard.openai;

import org.jspecify.annotations.NullMarked;
