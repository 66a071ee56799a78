package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.agent.Agent;
import dev.switchboard.config.AgentFile.AgentSettings;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.observe.AuditLog;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.store.Storage;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads an agent's file. It collects all faults; only a file without an error becomes an agent.
final class AgentReader {
  private final Path file;
  private final Environment environment;
  private final JavaTools java;
  private final FaultList faults = new FaultList();

  AgentReader(Path file, Environment environment, JavaTools java) {
    this.file = file;
    this.environment = environment;
    this.java = java;
  }

  AgentFile read() {
    return read(source(), environment.beside(file, faults), Severity.ERROR);
  }

  /// The file, with a warning for each variable that is not set.
  AgentFile check() {
    return read(source(), environment.beside(file, faults), Severity.WARNING);
  }

  /// The file, with that text instead of its own.
  AgentFile read(String text) {
    return read(Source.read(file.toString(), text, faults), environment, Severity.ERROR);
  }

  private AgentFile read(@Nullable Source source, Environment variables, Severity unset) {
    AgentFile read = source == null ? null : read(Value.root(source), variables, unset);
    if (read == null || faults.haveErrors()) {
      throw new ConfigException(faults.inOrder());
    }
    return read;
  }

  /// Warns of memory blocks that the agent may change, but has no tool to.
  private static void warnOfUnwritable(
      AgentToml.Agent agent,
      List<Block> blocks,
      List<MemoryStore.Share> shares,
      List<String> builtIns) {
    List<String> labels =
        Stream.concat(
                blocks.stream()
                    .filter(block -> block.permission() != Block.Permission.READ_ONLY)
                    .map(Block::label),
                shares.stream()
                    .filter(share -> share.permission() != Block.Permission.READ_ONLY)
                    .map(MemoryStore.Share::label))
            .toList();
    if (!labels.isEmpty() && !builtIns.contains("block")) {
      agent
          .at()
          .member("memory")
          .warning(
              FaultClass.NO_BLOCK_TOOL,
              "the agent cannot change its memory (%s): add \"block\" to agent.tools, or set permission = \"read_only\""
                  .formatted(String.join(", ", labels)));
    }
  }

  private @Nullable Source source() {
    Json.checkJackson();
    return Source.read(file, faults);
  }

  private @Nullable AgentFile read(Value root, Environment variables, Severity unset) {
    warnOfEmpty(root);
    AgentToml toml = Binder.bound(root, AgentToml.class);
    AgentToml.Agent agent = toml.agent();
    if (agent == null) {
      agent = Binder.bound(root.member("agent"), AgentToml.Agent.class);
    }
    MemoryReader memory = new MemoryReader(agent);
    SettingsReader reader = new SettingsReader(agent, memory, folder());
    AgentSettings settings = reader.settings(fileName(), SecretNames.of(root.node()));
    List<Block> blocks = memory.blocks(settings.name());
    List<String> allow = allow(toml.network());
    String storage = storage(toml.storage());
    Agent.Cluster cluster = cluster(toml.cluster(), storage);
    Path audit = audit(toml.audit());
    FileContext context =
        new FileContext(root, file, variables, unset, GuardedHttp.of(UrlGuard.of(allow)));
    FileTables tables = new FileTables(root, context);
    OtherAgents others = new OtherAgents(toml, agent, settings.name());
    Map<MessageRouter.Target, List<String>> recipients = others.recipients();
    RuleList rules = RuleList.of(tables.rules());
    Predicate<String> ofServers = tables::mayHaveTool;
    AgentTools tools = new AgentTools(agent, rules.needed(), tables.tools(), java.with(ofServers));
    boolean misspelt = tools.areMisspelt(RuleLint.names(rules.rules()));
    tools.check(misspelt);
    if (faults.haveErrors()) {
      boolean allNamed =
          !hasItems(agent.openapi()) && tools.ofFile().size() == root.member("tools").node().size();
      rules.checkTools(allNamed ? tools.all() : Set.of(), tools.unknown(), misspelt, ofServers);
      rules.check(List.of(), Set.of(), null, misspelt);
      return null;
    }
    List<Tool> made = tools.make();
    if (unset == Severity.WARNING) {
      others.check(file);
      new KeyCheck(variables).warn(agent, settings);
      tables.check(made, rules.rules());
    }
    Set<String> elsewhere = tools.elsewhere();
    elsewhere.addAll(rules.ofServers(tools::isOfServer));
    rules.check(tools.definitions(made), elsewhere, tools.unknown(), misspelt);
    warnOfUnwritable(agent, blocks, settings.memory().shares(), tools.builtIns());
    ProbeCheck.check(
        root, made, name -> elsewhere.contains(name) || tools.isOfServer(name), tools.unknown());
    return new AgentFile(
        settings,
        made,
        rules.rules(),
        allow,
        storage,
        cluster,
        faults.inOrder(),
        blocks,
        tools.builtIns(),
        tools.ofJava(rules.rules()),
        variables::get,
        requireNonNullElse(context.table(ToolDefaults.class), ToolDefaults.NONE),
        audit,
        tables.sources(variables::get),
        recipients,
        context.tables());
  }

  private static boolean hasItems(@Nullable Value list) {
    return list != null && !list.node().isEmpty();
  }

  private static void warnOfEmpty(Value root) {
    if (root.node().isEmpty()) {
      root.warning(
          FaultClass.EMPTY_FILE,
          "the file says nothing: an agent has a table [agent] with its model and its tools");
    }
  }

  private Path folder() {
    Path parent = file.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private String fileName() {
    Path name = file.getFileName();
    return name == null ? "agent" : name.toString().replaceFirst("\\.toml$", "");
  }

  private static List<String> allow(AgentToml.@Nullable Network network) {
    List<String> allow = new ArrayList<>();
    for (Value entry : network == null ? List.<Value>of() : network.allow()) {
      String text = entry.text();
      if (text != null && isHostAndPort(text)) {
        allow.add(text);
      } else if (text != null) {
        entry.bad("must be host:port, such as \"127.0.0.1:9001\", not '" + text + "'");
      }
    }
    return allow;
  }

  private static boolean isHostAndPort(String entry) {
    try {
      UrlGuard.of(List.of(entry));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// The audit log's file; a relative path begins in the file's folder.
  private @Nullable Path audit(AgentToml.@Nullable Audit audit) {
    Value value = audit == null ? null : audit.file();
    String text = value == null ? null : value.filledText();
    if (audit != null && value == null) {
      audit.at().bad("needs a 'file', such as \"audit.jsonl\"");
    }
    if (value == null || text == null) {
      return null;
    }
    try {
      Path log = folder().resolve(text);
      AuditLog.check(log);
      return log;
    } catch (InvalidPathException e) {
      value.bad("is not a path");
    } catch (IOException e) {
      value.bad("cannot be written: " + e.getMessage());
    }
    return null;
  }

  private static Agent.@Nullable Cluster cluster(
      AgentToml.@Nullable Cluster stated, @Nullable String storage) {
    if (stated == null || !stated.workers()) {
      return null;
    }
    if (storage == null || !storage.startsWith("postgresql://")) {
      stated.at().bad("needs a [storage] that machines share: url = \"postgresql://...\"");
    }
    try {
      return new Agent.Cluster(
          requireNonNullElse(stated.hold(), Agent.Cluster.USUAL.hold()),
          requireNonNullElse(stated.turns(), Agent.Cluster.USUAL.turns()));
    } catch (IllegalArgumentException e) {
      stated.at().bad("is not valid: " + e.getMessage());
      return null;
    }
  }

  private static @Nullable String storage(AgentToml.@Nullable Storage storage) {
    Value value = storage == null ? null : storage.url();
    String url = value == null ? null : value.filledText();
    String fault = url == null ? null : Storage.fault(url);
    if (storage != null && value == null) {
      storage.at().bad("needs a 'url', such as \"sqlite:agent.db\"");
    } else if (value != null && fault != null) {
      value.bad(fault);
    }
    return url;
  }
}
