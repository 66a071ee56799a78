package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.toml.TextFile;
import dev.switchboard.toml.TextTree;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A JSON Schema as a file states it, and its position.
record SchemaText(Json json, Value place) implements FileTable.StatedSchema {
  /// The parts of `parameters` that messages of the schema check name: `parameters['required']` or
  /// `parameters.properties.address`.
  private static final String NAMED = "`parameters((?:\\.[^`.\\['\\]]+|\\[[0-9]+]|\\['[^'`]*'])*)`";

  private static final String STEP = "\\.([^.\\[]+)|\\[([0-9]+)]|\\['([^']*)']";

  /// The schema that a value states as a table or a JSON text, or in the file that another one
  /// names; null if there is none, or the file cannot be read.
  static @Nullable SchemaText of(@Nullable Value stated, @Nullable Value file, Path folder) {
    if (file != null) {
      return ofFile(file, folder);
    }
    return stated == null ? null : new SchemaText(stated.json(), stated);
  }

  private static @Nullable SchemaText ofFile(Value value, Path folder) {
    String name = value.filledText();
    if (name == null) {
      return null;
    }
    try {
      Path path = folder.resolve(name);
      String text = TextFile.read(path);
      Source source = new Source(path.toString(), TextTree.ofJson(text), value.source().faults());
      return new SchemaText(Json.text(text), Value.root(source, value.path()));
    } catch (TextFile.Unreadable e) {
      value.bad("names '" + name + "', which " + e.reason());
      return null;
    } catch (InvalidPathException e) {
      value.bad("cannot be the name of a file");
      return null;
    }
  }

  @Override
  public Value at(String sentence) {
    return place.within(named(sentence));
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

  /// Whether they are a valid schema of a reply; reports why not.
  boolean isReply() {
    String tool = "reply";
    List<String> faults = ParameterSchema.faultsOf(tool, json, false);
    for (String sentence : faults) {
      at(sentence).error(FaultClass.TOOL_SCHEMA, ofReply(sentence));
    }
    if (faults.isEmpty()) {
      for (String sentence : ParameterSchema.parse(tool, json, false).warnings()) {
        at(sentence).warning(FaultClass.TOOL_SCHEMA, ofReply(sentence));
      }
    }
    return faults.isEmpty();
  }

  private static String ofReply(String sentence) {
    return sentence.replace("tool 'reply': ", "").replace("`parameters", "`reply");
  }
}
