/// Sessions and their rules as the library's own hosts use them, beyond what users need.
@NullMarked
package dev.switchboard.execution.host;

import org.jspecify.annotations.NullMarked;
