/// Tools made of the operations that an OpenAPI document describes.
@NullMarked
package dev.switchboard.openapi;

import org.jspecify.annotations.NullMarked;
