package dev.switchboard.check;

import dev.switchboard.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The Java types for any JSON.
enum TreeBinding {
  NONE {
    @Override
    @Nullable Object bind(JsonNode tree) {
      return null;
    }
  },
  NODE {
    @Override
    Object bind(JsonNode tree) {
      return tree;
    }
  },
  JSON {
    @Override
    Object bind(JsonNode tree) {
      return Json.of(tree);
    }
  },
  NATURAL {
    @Override
    @Nullable Object bind(JsonNode tree) {
      return natural(tree);
    }
  };

  abstract @Nullable Object bind(JsonNode tree);

  /// The one of that type, or null.
  static @Nullable TreeBinding of(Class<?> type) {
    if (type == Object.class) {
      return NATURAL;
    }
    if (type == Json.class) {
      return JSON;
    }
    return type == JsonNode.class ? NODE : null;
  }

  private static @Nullable Object natural(JsonNode tree) {
    return switch (tree.getNodeType()) {
      case STRING -> tree.stringValue();
      case NUMBER -> tree.numberValue();
      case BOOLEAN -> tree.booleanValue();
      case ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>(tree.size());
        tree.values().forEach(item -> list.add(natural(item)));
        yield Collections.unmodifiableList(list);
      }
      case OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        tree.forEachEntry((name, value) -> map.put(name, natural(value)));
        yield Collections.unmodifiableMap(map);
      }
      case NULL, MISSING, BINARY, POJO -> null;
    };
  }
}
