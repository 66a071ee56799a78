package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.text.Placeholders;
import dev.switchboard.toml.TextFile;
import dev.switchboard.toml.TextTree;
import dev.switchboard.tool.ToolSchemaException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The parameters of a tool as its definition states them, and their position.
record Parameters(Json json, Value place) {
  private static final Json NONE = Json.text("{\"type\":\"object\",\"properties\":{}}");

  /// The parts of `parameters` that messages of the schema check name: `parameters['required']` or
  /// `parameters.properties.address`.
  private static final String NAMED = "`parameters((?:\\.[^`.\\['\\]]+|\\[[0-9]+]|\\['[^'`]*'])*)`";

  private static final String STEP = "\\.([^.\\[]+)|\\[([0-9]+)]|\\['([^']*)']";

  /// The schema of an agent's replies, a table, a JSON text or a file; null if there is none, or
  /// the file cannot be read.
  static @Nullable Parameters reply(AgentToml.Agent agent, Path folder) {
    Value stated = agent.reply();
    Value file = agent.replyFile();
    if (file == null) {
      return stated == null ? null : new Parameters(stated.json(), stated);
    }
    if (stated != null) {
      file.error(FaultClass.TOOL_DEFINITION, "agent has both 'reply' and 'reply_file'");
    }
    return ofFile(file, folder);
  }

  /// Whether they are a valid schema of a reply; reports why not.
  boolean isReply() {
    String tool = "reply";
    List<String> faults = ParameterSchema.faultsOf(tool, json, false);
    for (String sentence : faults) {
      place.within(named(sentence)).error(FaultClass.TOOL_SCHEMA, ofReply(sentence));
    }
    if (faults.isEmpty()) {
      for (String sentence : ParameterSchema.parse(tool, json, false).warnings()) {
        place.within(named(sentence)).warning(FaultClass.TOOL_SCHEMA, ofReply(sentence));
      }
    }
    return faults.isEmpty();
  }

  private static String ofReply(String sentence) {
    return sentence.replace("tool 'reply': ", "").replace("`parameters", "`reply");
  }

  /// A table, a JSON text or a file; empty if both keys are absent, null if the file cannot be
  /// read.
  static @Nullable Parameters read(AgentToml.Tool tool, Path folder) {
    Value stated = tool.parameters();
    Value file = tool.parametersFile();
    if (file != null) {
      if (stated != null) {
        String sentence = " has both 'parameters' and 'parameters_file'";
        file.error(FaultClass.TOOL_DEFINITION, tool.at().path() + sentence);
      }
      return ofFile(file, folder);
    }
    return stated == null ? new Parameters(NONE, tool.at()) : new Parameters(stated.json(), stated);
  }

  private static @Nullable Parameters ofFile(Value value, Path folder) {
    String name = value.filledText();
    if (name == null) {
      return null;
    }
    try {
      Path path = folder.resolve(name);
      String text = TextFile.read(path);
      Source source = new Source(path.toString(), TextTree.ofJson(text), value.source().faults());
      return new Parameters(Json.text(text), Value.root(source, value.path()));
    } catch (TextFile.Unreadable e) {
      value.bad("names '" + name + "', which " + e.reason());
      return null;
    } catch (InvalidPathException e) {
      value.bad("cannot be the name of a file");
      return null;
    }
  }

  /// Reports why they are not the schema of an object, and probable mistakes.
  ///
  /// @param foreign whether others made them, so that what cannot be checked is left to what
  ///   answers
  void check(String tool, boolean strict, boolean foreign) {
    try {
      if (foreign) {
        for (String sentence : ParameterSchema.foreign(tool, json).warnings()) {
          place.within(named(sentence)).warning(FaultClass.TOOL_SCHEMA, sentence);
        }
      } else {
        for (String sentence : ParameterSchema.parse(tool, json, strict).warnings()) {
          place.within(named(sentence)).warning(FaultClass.TOOL_SCHEMA, sentence);
        }
      }
    } catch (ToolSchemaException e) {
      for (String sentence : e.faults()) {
        String shown = sentence.equals(notAnObject(tool)) ? sentence + shape() : sentence;
        place.within(named(sentence)).error(FaultClass.TOOL_SCHEMA, shown);
      }
    }
    try {
      json.check();
    } catch (JsonException e) {
      place.bad(String.valueOf(e.getMessage()));
    }
  }

  private static String notAnObject(String tool) {
    return "tool '" + tool + "': `parameters` must be a JSON Schema of type 'object'.";
  }

  /// Reports placeholders that are not parameters of the tool.
  ///
  /// @param parameters the schema of the tool, null if it cannot be read
  static void checkPlaceholders(Value value, String text, @Nullable Json parameters) {
    for (String name : Placeholders.in(text)) {
      if (parameters != null && !parameters.tree().path("properties").has(name)) {
        value.bad("has '{" + name + "}', which is not one of the tool's parameters");
      }
    }
  }

  /// How to write parameters that are listed without a schema.
  private String shape() {
    try {
      JsonNode stated = json.tree();
      boolean fields =
          stated.isObject()
              && !stated.isEmpty()
              && !stated.has("type")
              && !stated.has("properties");
      return fields ? " Write { type = \"object\", properties = { .. } } around the fields." : "";
    } catch (JsonException e) {
      return ""; // reported separately
    }
  }

  private static String named(String sentence) {
    Matcher named = Pattern.compile(NAMED).matcher(sentence);
    String pointer = "";
    if (named.find()) {
      Matcher step = Pattern.compile(STEP).matcher(named.group(1));
      while (step.find()) {
        String word =
            Stream.of(1, 2, 3).map(step::group).filter(Objects::nonNull).findFirst().get();
        pointer = TextTree.below(pointer, word);
      }
    }
    return pointer;
  }
}
