package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import dev.switchboard.webhook.Secret;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A tool that was read without a fault, to be made once the whole file was.
///
/// @param url null only where a fault was reported
/// @param secret signs its requests, null for none
/// @param responseLimit bytes of an answer, null for the default
record PlannedTool(
    String name,
    Place place,
    Tool.DynamicBuilder builder,
    @Nullable URI url,
    Map<String, String> headers,
    @Nullable Secret secret,
    @Nullable Integer responseLimit) {}
