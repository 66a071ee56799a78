package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.handler.Tool;
import dev.switchboard.webhook.GuardedHttp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What surrounds the tables of a file.
final class FileContext implements FileTable.Context {
  private final Value file;
  private final Path path;
  private final Headers variables;
  private final GuardedHttp network;
  private final AgentToml.Defaults defaults;
  private final List<Value> policies = new ArrayList<>();

  /// @param file the whole file
  /// @param network the client of its tools
  /// @param defaults for options that a tool does not state
  FileContext(
      Value file, Path path, Headers variables, GuardedHttp network, AgentToml.Defaults defaults) {
    this.file = file;
    this.path = path;
    this.variables = variables;
    this.network = network;
    this.defaults = defaults;
  }

  @Override
  public StatedValue file() {
    return file;
  }

  @Override
  public Path path() {
    return path;
  }

  /// How its texts are filled in.
  Headers variables() {
    return variables;
  }

  @Override
  public Path folder() {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  @Override
  public Severity unset() {
    return variables.unset();
  }

  @Override
  public @Nullable String variable(String name) {
    return variables.environment().get(name);
  }

  @Override
  public @Nullable String variable(StatedValue value, String name) {
    return variables.variable(Value.of(value), name);
  }

  @Override
  public boolean canBeFilled(String text) {
    return Environment.canBeFilled(text);
  }

  @Override
  public boolean isUnknown(String text) {
    return variables.isUnknown(text);
  }

  @Override
  public @Nullable String filled(String text, Consumer<String> missing) {
    return variables.environment().fill(text, missing);
  }

  @Override
  public @Nullable String filled(StatedValue value) {
    return variables.filled(Value.of(value));
  }

  @Override
  public Map<String, String> headers(Map<String, StatedValue> table) {
    Map<String, Value> values = new LinkedHashMap<>();
    table.forEach((name, value) -> values.put(name, Value.of(value)));
    return variables.read(values);
  }

  @Override
  public Map<String, String> environment(StatedValue value) {
    return programs().environment(Value.of(value));
  }

  @Override
  public @Nullable Path existingFolder(StatedValue value) {
    return programs().folder(Value.of(value));
  }

  @Override
  public List<String> program(List<String> words) {
    return programs().beside(words);
  }

  private ProgramReader programs() {
    return new ProgramReader(folder(), variables);
  }

  @Override
  public GuardedHttp network() {
    return network;
  }

  @Override
  public boolean isBlocked(String url, StatedValue value) {
    return BlockedUrl.report(network.guard(), url, Value.of(value), value.path());
  }

  @Override
  public Tool.@Nullable Policy policy(StatedValue table) {
    Value value = Value.of(table);
    policies.add(value);
    PolicyReader policy = PolicyReader.read(value, defaults);
    return policy == null ? null : policy::applied;
  }

  @Override
  public Tool.Policy noPolicy() {
    Value none = file.member("tools").member("");
    return new PolicyReader(Binder.bound(none, AgentToml.Tool.class), null, defaults)::applied;
  }

  /// The tables of options that were read.
  List<Value> policies() {
    return policies;
  }
}
