/// Tools made from the operations of an OpenAPI document.
@NullMarked
package dev.switchboard.openapi;

import org.jspecify.annotations.NullMarked;
