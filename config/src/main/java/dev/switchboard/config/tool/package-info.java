/// The tools of agents' files: the table `tools`, and what other tables state of tools.
@NullMarked
package dev.switchboard.config.tool;

import org.jspecify.annotations.NullMarked;
