/// Calls from a page in the browser.
@NullMarked
package dev.switchboard.phone.carrier.browser;

import org.jspecify.annotations.NullMarked;
