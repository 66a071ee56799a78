package dev.switchboard.config;

import dev.switchboard.config.FileTable.TableKey;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.rule.Guardrail.Known;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All keys of an agent's file, by table, as [Binder] binds them: a component is a key. Values that
/// allow several forms are bound unread. A [FileTable] has its own.
record AgentToml(
    Value at,
    @Nullable Agent agent,
    @Nullable Value tools,
    @Nullable Network network,
    @Nullable Storage storage,
    @Nullable Cluster cluster,
    @Nullable Audit audit,
    @Nullable Value phone,
    List<Recipients> groups,
    List<Recipients> channels) {

  /// A group or a channel.
  record Recipients(
      Value at,
      @TableKey(required = true) @Nullable String name,
      @TableKey(required = true) List<String> agents) {}

  record Agent(
      Value at,
      @Nullable String name,
      @TableKey(mayBeEmpty = true) @Nullable String systemPrompt,
      List<String> tools,
      @Nullable Value model,
      List<Value> fallback,
      @Nullable Value reply,
      @Nullable Value replyFile,
      @Nullable Value embeddings,
      @Nullable Limits limits,
      @Nullable Budget budget,
      Map<String, Price> prices,
      @TableKey(mayBeEmpty = true) @Nullable String firstMessage,
      Map<String, Value> variables,
      List<Value> guardrails,
      @Nullable Pending pending,
      @Nullable Consent consent,
      boolean exposeErrors,
      @Nullable Value defaults,
      @Nullable Value toolRules,
      Map<String, Memory> memory,
      List<SharedBlock> sharedBlocks,
      dev.switchboard.memory.Memory.@Nullable Scope memoryScope,
      @Nullable Value mcp,
      @Nullable McpServer mcpServer,
      @Nullable Value openapi) {}

  record McpServer(List<Share> share) {}

  /// What an MCP server offers beside the tools.
  enum Share {
    MEMORY,
    PROMPT
  }

  /// Who answers requests for consent.
  enum Consent {
    PRINCIPAL,
    APPROVER
  }

  record Guardrail(
      Value at,
      @Nullable String name,
      @Nullable Value on,
      @Nullable Known check,
      List<String> words,
      @Nullable Value pattern,
      List<String> linksOutside,
      @TableKey(least = 1) @Nullable Integer maxLength,
      boolean secrets,
      boolean instructions,
      @Nullable String question,
      @Nullable Then then,
      @Nullable String say,
      @TableKey(mayBeEmpty = true) @Nullable String with,
      @Nullable OnError onError,
      @TableKey(most = dev.switchboard.rule.Guardrail.MAX_WINDOW) @Nullable Integer window,
      @Nullable Duration timeout) {}

  /// What a guardrail does with a match.
  enum Then {
    BLOCK,
    REDACT,
    FLAG,
    ASK
  }

  /// What a guardrail does if its check throws or times out.
  enum OnError {
    ALLOW,
    BLOCK
  }

  /// What a new message of the user does to waiting calls.
  enum Pending {
    REFUSE,
    DENY
  }

  /// The keys of a model, whatever it is for.
  sealed interface ModelTable {
    @Nullable String provider();

    @Nullable String name();

    @Nullable Value baseUrl();

    @Nullable String apiKeyEnv();
  }

  record Model(
      @TableKey(required = true) @Nullable String provider,
      @TableKey(required = true) @Nullable String name,
      @Nullable Value baseUrl,
      @Nullable String apiKeyEnv,
      @TableKey(most = 2) @Nullable Double temperature,
      @TableKey(least = 1) @Nullable Integer maxTokens,
      @Nullable Value reasoning,
      @Nullable Value options,
      @Nullable Boolean cache,
      ModelOptions.@Nullable Structured structured,
      @Nullable Boolean thinksFirst,
      ModelOptions.@Nullable Api api,
      @TableKey(least = 1) @Nullable Integer window)
      implements ModelTable {}

  record Embeddings(
      @TableKey(required = true) @Nullable String provider,
      @TableKey(required = true) @Nullable String name,
      @Nullable Value baseUrl,
      @Nullable String apiKeyEnv,
      @TableKey(most = 1) @Nullable Double leastSimilarity)
      implements ModelTable {}

  record Limits(
      @TableKey(least = 1, most = 1000) @Nullable Integer iterations,
      @Nullable Duration modelTimeout,
      @Nullable Duration consentTimeout,
      @TableKey(least = 1, most = 2000) @Nullable Integer history) {}

  record Budget(
      @Nullable BudgetLimit turn,
      @Nullable BudgetLimit conversation,
      @Nullable BudgetLimit day,
      @Nullable AtLimit then) {}

  record BudgetLimit(
      Value at, @TableKey(least = 1) @Nullable Integer tokens, @Nullable Double cost) {}

  /// What happens at a limit of the budget.
  enum AtLimit {
    STOP,
    ASK
  }

  record Price(
      @TableKey(required = true) @Nullable Double input,
      @Nullable Double cached,
      @Nullable Double cacheWrite,
      @TableKey(required = true) @Nullable Double output,
      @Nullable Over over) {}

  record Over(
      @TableKey(required = true, least = 1) @Nullable Integer tokens,
      @Nullable Double input,
      @Nullable Double cached,
      @Nullable Double cacheWrite,
      @Nullable Double output) {}

  record Memory(
      Value at,
      Block.@Nullable Kind kind,
      @TableKey(mayBeEmpty = true) @Nullable String description,
      @TableKey(mayBeEmpty = true) @Nullable String content,
      @TableKey(least = 1, most = Block.LARGEST_LIMIT) @Nullable Integer charLimit,
      @Nullable Permission permission,
      @Nullable Boolean pinned,
      dev.switchboard.memory.Memory.@Nullable Scope scope) {}

  record SharedBlock(
      Value at,
      @TableKey(required = true) @Nullable String label,
      @TableKey(required = true) @Nullable String from,
      @Nullable Permission permission) {}

  record Network(List<Value> allow) {}

  record Storage(Value at, @Nullable Value url) {}

  record Cluster(
      Value at,
      boolean workers,
      @Nullable Duration hold,
      @TableKey(least = 1, most = 10_000) @Nullable Integer turns) {}

  record Audit(Value at, @Nullable Value file) {}
}
