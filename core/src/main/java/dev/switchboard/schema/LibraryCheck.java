package dev.switchboard.schema;

import tools.jackson.databind.JsonNode;

final class LibraryCheck {
  LibraryCheck(JsonNode schema) {}
}
