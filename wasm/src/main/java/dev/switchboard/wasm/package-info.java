/// Tools that are WebAssembly modules: code that needs no trust, run in this process.
@NullMarked
package dev.switchboard.wasm;

import org.jspecify.annotations.NullMarked;
