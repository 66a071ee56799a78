package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable.StatedSchema;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.webhook.GuardedHttp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What surrounds the tables of a file.
final class FileContext implements FileTable.Context {
  private final Value file;
  private final Path path;
  private final Environment environment;
  private final Severity unset;
  private final GuardedHttp network;
  private final List<Object> read = new ArrayList<>();

  /// @param file the whole file
  /// @param unset the severity of a variable that is not set
  /// @param network the client of its tools
  FileContext(Value file, Path path, Environment environment, Severity unset, GuardedHttp network) {
    this.file = file;
    this.path = path;
    this.environment = environment;
    this.unset = unset;
    this.network = network;
  }

  @Override
  public StatedValue file() {
    return file;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path folder() {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /// Keeps what was read of a table.
  void add(Object content) {
    read.add(content);
  }

  /// What was read of the tables, except those that have an error.
  List<Object> tables() {
    return read;
  }

  @Override
  public <T> @Nullable T table(Class<T> type) {
    return read.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
  }

  @Override
  public GuardedHttp network() {
    return network;
  }

  @Override
  public Severity unset() {
    return unset;
  }

  @Override
  public @Nullable String variable(String name) {
    return environment.get(name);
  }

  @Override
  public @Nullable String variable(StatedValue value, String name) {
    String found = environment.get(name);
    if (found != null && !found.isEmpty()) {
      return found;
    }
    reportUnset(value, name);
    return null;
  }

  private void reportUnset(StatedValue value, String name) {
    String sentence = " names the environment variable '" + name + "', which is not set";
    value.report(unset, FaultClass.BAD_VALUE, value.path() + sentence);
  }

  @Override
  public boolean canBeFilled(String text) {
    return Environment.canBeFilled(text);
  }

  @Override
  public boolean isUnknown(String text) {
    return environment == Environment.NOT_LOOKED_UP && !Environment.names(text).isEmpty();
  }

  @Override
  public @Nullable String filled(String text, Consumer<String> missing) {
    return environment.fill(text, missing);
  }

  @Override
  public @Nullable String filled(StatedValue value) {
    String text = value.text();
    if (text == null) {
      return null;
    }
    if (!canBeFilled(text)) {
      value.bad("has a '${' that no variable's name and '}' follow");
      return null;
    }
    return filled(text, name -> reportUnset(value, name));
  }

  @Override
  public @Nullable StatedSchema schema(@Nullable StatedValue stated, @Nullable StatedValue file) {
    return SchemaText.of(
        stated == null ? null : Value.of(stated), file == null ? null : Value.of(file), folder());
  }
}
