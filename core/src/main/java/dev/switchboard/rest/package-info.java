/// Requests to services that know nothing of us, as tools.
@NullMarked
package dev.switchboard.rest;

import org.jspecify.annotations.NullMarked;
