package dev.switchboard.schema;

import org.jspecify.annotations.Nullable;

/// LangChain4j's `@P` and `@Description` and Spring AI's `@ToolParam` of a parameter or component;
/// empty or null if it has none.
record ParameterNote(
    String name, String description, @Nullable String defaultText, boolean optional) {
  private static final String LANGCHAIN4J = "dev.langchain4j.agent.tool.";
  private static final ParameterNote NONE = new ParameterNote("", "", null, false);

  /// @throws IllegalArgumentException for a parameter that only LangChain4j can provide
  static ParameterNote of(Annotations annotations) {
    ForeignAnnotation p = annotations.foreign(LANGCHAIN4J + "P");
    if (p != null) {
      String stated = p.text("description", "");
      return new ParameterNote(
          p.text("name", ""),
          stated.isEmpty() ? p.text("value", "") : stated,
          p.stated("defaultValue"),
          Boolean.FALSE.equals(p.attribute("required")));
    }
    ForeignAnnotation spring =
        annotations.foreign("org.springframework.ai.tool.annotation.ToolParam");
    if (spring != null) {
      boolean optional = Boolean.FALSE.equals(spring.attribute("required"));
      return new ParameterNote("", spring.text("description", ""), null, optional);
    }
    if (annotations.foreign(LANGCHAIN4J + "ToolMemoryId") != null) {
      throw new IllegalArgumentException(
          "has @ToolMemoryId, which only LangChain4j fills in; a parameter of the type ToolContext"
              + " has the conversationId()");
    }
    ForeignAnnotation text =
        annotations.foreign("dev.langchain4j.model.output.structured.Description");
    return text == null ? NONE : new ParameterNote("", text.text("value", " "), null, false);
  }
}
