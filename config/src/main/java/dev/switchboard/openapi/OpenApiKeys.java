package dev.switchboard.openapi;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.TableKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys of an OpenAPI document whose operations become tools, an entry of `agent.openapi`: a
/// component is a key.
///
/// @param tools policies of single operations: the keys of a tool that do not define it
record OpenApiKeys(
    StatedValue at,
    @Nullable StatedValue file,
    @Nullable StatedValue url,
    List<StatedValue> include,
    List<StatedValue> exclude,
    List<StatedValue> tags,
    @Nullable String prefix,
    @Nullable StatedValue baseUrl,
    Map<String, StatedValue> variables,
    Map<String, StatedValue> auth,
    Map<String, StatedValue> headers,
    @Nullable StatedValue idempotencyHeader,
    @Nullable Duration timeout,
    @TableKey(least = 1) @Nullable Integer responseLimit,
    Map<String, StatedValue> tools) {}
