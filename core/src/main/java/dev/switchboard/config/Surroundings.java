package dev.switchboard.config;

import dev.switchboard.webhook.UrlGuard;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the definitions of tools are read against.
///
/// @param folder where the names of further files begin
/// @param environment the value of an environment variable, null where it is not set
/// @param guard with the file's own allow list
/// @param handlers whether a `handler` can stand there
record Surroundings(
    Path folder,
    Function<String, @Nullable String> environment,
    UrlGuard guard,
    Defaults defaults,
    boolean handlers) {}
