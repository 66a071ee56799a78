/// The demonstration: a real booking service, real tools, and a recorded model that calls them.
@NullMarked
package dev.switchboard.cli.demo;

import org.jspecify.annotations.NullMarked;
