package dev.switchboard.mcp;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.tool.BlockedUrl;
import dev.switchboard.config.tool.Headers;
import dev.switchboard.config.tool.PolicyReader;
import dev.switchboard.config.tool.ProgramReader;
import dev.switchboard.handler.Tool;
import dev.switchboard.mcp.client.McpSettings;
import dev.switchboard.mcp.client.McpSettings.McpWay;
import dev.switchboard.mcp.client.McpSettings.OAuthSettings;
import dev.switchboard.mcp.client.McpSettings.SamplingSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the MCP servers of a file.
final class McpReader {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_-]{0,30}[A-Za-z0-9])?");
  private static final List<String> OF_PROGRAM = List.of("args", "env", "cwd");
  private static final List<String> OF_URL = List.of("headers", "bearer_env", "oauth");

  private final FileTable.Context file;

  McpReader(FileTable.Context file) {
    this.file = file;
  }

  /// The servers without an error.
  List<McpSettings> read(StatedValue list) {
    Set<String> names = new HashSet<>();
    List<McpSettings> servers = new ArrayList<>();
    for (StatedValue item : list.items()) {
      McpKeys table = item.bind(McpKeys.class);
      McpSettings server = table == null ? null : read(table);
      if (server != null && !names.add(server.name())) {
        item.member("name").bad("is that of another MCP server");
      } else if (server != null) {
        servers.add(server);
      }
    }
    return servers;
  }

  private @Nullable McpSettings read(McpKeys table) {
    String name = name(table.name());
    McpWay way = way(table);
    Map<String, Tool.Policy> policies = new LinkedHashMap<>();
    table
        .tools()
        .forEach((tool, value) -> {
          Tool.Policy policy = PolicyReader.read(value, file);
          if (policy != null) {
            policies.put(tool, policy);
          }
        });
    SamplingSettings sampling = table.sampling() == null ? null : sampling(table.sampling());
    if (name == null || way == null) {
      return null;
    }
    return new McpSettings(
        name,
        table.prefix() == null || table.prefix(),
        way,
        table.include(),
        table.exclude(),
        policies,
        requireNonNullElse(table.timeout(), McpSettings.DEFAULT_TIMEOUT),
        table.responseLimit() == null ? McpSettings.DEFAULT_RESPONSE_LIMIT : table.responseLimit(),
        table.required(),
        table.pin() ? lock() : null,
        table.trust(),
        sampling,
        table.roots().stream().map(root -> file.folder().resolve(root).toAbsolutePath()).toList());
  }

  private Path lock() {
    return Path.of(file.path().toString().replaceFirst("\\.toml$", "") + ".mcp.lock");
  }

  private static @Nullable String name(@Nullable StatedValue value) {
    String name = value == null ? null : value.filledText();
    if (value != null && name != null && !NAME.matcher(name).matches()) {
      value.bad("must be 1 to 32 letters, digits, '_' and '-', not '" + name + "'");
      return null;
    }
    return name;
  }

  private @Nullable McpWay way(McpKeys table) {
    StatedValue at = table.at();
    if (table.command() != null && table.url() != null) {
      at.bad("has both 'command' and 'url'");
    } else if (table.command() != null) {
      refuse(at, OF_URL, "is for a server with a 'url'");
      return program(table, table.command());
    } else if (table.url() != null) {
      refuse(at, OF_PROGRAM, "is for a server with a 'command'");
      return web(table, table.url());
    } else {
      at.bad("needs 'command', a program to start, or 'url', where the server is");
    }
    return null;
  }

  private static void refuse(StatedValue at, List<String> keys, String why) {
    keys.stream().filter(at::has).forEach(key -> at.member(key).bad(why));
  }

  private @Nullable McpWay program(McpKeys table, StatedValue command) {
    ProgramReader program = new ProgramReader(file);
    List<String> words = new ArrayList<>();
    if (command.node().isArray()) {
      words.addAll(command.texts());
    } else {
      String word = command.filledText();
      words.addAll(word == null ? List.of() : List.of(word));
    }
    Map<String, String> environment =
        table.env() == null ? Map.of() : program.environment(table.env());
    Path in = table.cwd() == null ? file.folder() : program.folder(table.cwd());
    if (words.isEmpty() || in == null) {
      return null;
    }
    if (words.getFirst().contains(" ") && words.size() == 1) {
      command.bad("is the program alone; what follows it stands in 'args'");
      return null;
    }
    for (StatedValue word : table.args()) {
      String filled = file.filled(word);
      words.add(filled == null ? "" : filled);
    }
    return new McpWay.Program(program.beside(words), in, environment);
  }

  private @Nullable McpWay web(McpKeys table, StatedValue value) {
    String url = value.filledText() == null ? null : file.filled(value);
    Map<String, String> headers = new LinkedHashMap<>(new Headers(file).read(table.headers()));
    if (table.bearerEnv() != null) {
      String token = file.variable(table.at().member("bearer_env"), table.bearerEnv());
      headers.put("Authorization", "Bearer " + requireNonNullElse(token, ""));
    }
    OAuthSettings oauth = table.oauth() == null ? null : oauth(table.oauth());
    if (url == null) {
      return null;
    }
    if (file.isUnknown(String.valueOf(value.text()))
        || BlockedUrl.report(file, url, value, value.path())) {
      return null;
    }
    boolean proves =
        oauth != null || headers.keySet().stream().anyMatch("Authorization"::equalsIgnoreCase);
    if (proves
        && !url.strip().toLowerCase(Locale.ROOT).startsWith("https:")
        && !file.network().guard().trusts(url)) {
      value.bad(
          "is plain http, over which no login is sent: use https, or allow the service in"
              + " network.allow");
      return null;
    }
    return new McpWay.Web(url, headers, oauth, file.network());
  }

  private @Nullable OAuthSettings oauth(StatedValue value) {
    if (value.node().isBoolean()) {
      return value.node().booleanValue()
          ? new OAuthSettings(null, null, null, null, null, null, List.of(), false, null)
          : null;
    }
    McpKeys.OAuth table = value.bind(McpKeys.OAuth.class);
    if (table == null) {
      return null;
    }
    checkSet(value, "client_secret_env", table.clientSecretEnv());
    checkSet(value, "private_key_env", table.privateKeyEnv());
    boolean machine = table.grant() == McpKeys.Grant.CLIENT_CREDENTIALS;
    boolean proves = table.clientSecretEnv() != null || table.privateKeyEnv() != null;
    if (machine && (table.clientId() == null || !proves)) {
      value.bad(
          "needs 'client_id', and 'client_secret_env' or 'private_key_env', for"
              + " client_credentials");
    }
    String metadata =
        table.clientMetadataUrl() == null ? null : table.clientMetadataUrl().filledText();
    if (metadata != null && !metadata.startsWith("https://")) {
      value.member("client_metadata_url").bad("must be an https URL");
    }
    return new OAuthSettings(
        table.clientId(),
        table.clientSecretEnv(),
        table.privateKeyEnv(),
        table.keyId(),
        table.issuer(),
        metadata,
        table.scopes(),
        machine,
        table.redirect());
  }

  private void checkSet(StatedValue table, String key, @Nullable String variable) {
    if (variable != null) {
      String unused = file.variable(table.member(key), variable);
    }
  }

  private static @Nullable SamplingSettings sampling(StatedValue value) {
    if (value.node().isBoolean()) {
      return value.node().booleanValue() ? SamplingSettings.DEFAULT : null;
    }
    McpKeys.Sampling table = value.bind(McpKeys.Sampling.class);
    return table == null
        ? null
        : new SamplingSettings(
            requireNonNullElse(table.maxTokens(), SamplingSettings.DEFAULT.maxTokens()),
            requireNonNullElse(table.calls(), SamplingSettings.DEFAULT.calls()));
  }
}
