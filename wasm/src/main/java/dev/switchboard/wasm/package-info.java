/// Tools that are WebAssembly modules: untrusted code, run in this process.
@NullMarked
package dev.switchboard.wasm;

import org.jspecify.annotations.NullMarked;
