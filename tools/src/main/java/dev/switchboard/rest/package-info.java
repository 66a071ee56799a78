/// Tools that are HTTP requests to existing services.
@NullMarked
package dev.switchboard.rest;

import org.jspecify.annotations.NullMarked;
