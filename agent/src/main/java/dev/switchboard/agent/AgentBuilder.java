package dev.switchboard.agent;

import dev.switchboard.consent.Approver;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.handler.DataSources;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery.SearchDomain;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.ChatModel;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolSchemaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Builds an [Agent].
public final class AgentBuilder {
  private final String name;
  private final ToolExecutorBuilder executor = ToolExecutor.builder();
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final List<ModelHook> hooks = new ArrayList<>();
  private @Nullable ChatModel model;
  private final List<ChatModel> fallbacks = new ArrayList<>();
  private @Nullable ReplyForm form;
  private String prompt = "";
  private @Nullable String firstMessage;
  private AgentLimits limits = AgentLimits.DEFAULT;
  private Budget budget = Budget.NONE;
  private Prices prices = Prices.NONE;
  private @Nullable ConversationStore store;
  private boolean asksInline;
  private boolean denyPending;
  private @Nullable Time time; // null for the store's
  private boolean asksApprover;
  private Set<String> sharedOverMcp = Set.of();
  private final AgentMemoryBuilder memory;
  private @Nullable MessageRouter router;
  private @Nullable List<MessageRouter.Target> targets = List.of(MessageRouter.Target.USER);
  private DataSources sources = DataSources.NONE;
  private Runnable onClose = () -> {};

  AgentBuilder(String name) {
    this.name = name;
    memory = new AgentMemoryBuilder(name);
  }

  /// Sets its model. An agent without one needs a host that brings a model, as on the phone.
  public AgentBuilder model(ChatModel used) {
    model = used;
    return this;
  }

  /// Sets fallback models, asked in order after a failure that the next may not share: an
  /// unavailable, overloaded or silent service, an invalid answer, or a rejected account. Not after
  /// text of the reply was shown.
  public AgentBuilder fallback(ChatModel... others) {
    fallbacks.addAll(List.of(others));
    return this;
  }

  /// Requires the reply of every turn to be the JSON of that type, a record or a sealed interface
  /// of records.
  ///
  /// @throws ToolSchemaException when something in the type has no JSON Schema
  public AgentBuilder reply(Class<?> type) {
    form = ReplyForm.of(type);
    return this;
  }

  /// Requires the reply of every turn to be a JSON object that matches that JSON Schema.
  ///
  /// @throws ToolSchemaException when it is not the schema of an object
  public AgentBuilder reply(Json schema) {
    form = ReplyForm.of(schema);
    return this;
  }

  /// Adds these tools.
  public AgentBuilder tools(Tool... added) {
    return tools(List.of(added));
  }

  /// Adds these tools.
  public AgentBuilder tools(List<Tool> added) {
    executor.tools(added);
    memory.ownTools(added);
    return this;
  }

  /// Adds the tools of that source, such as an MCP server, which the agent closes. Rules may name
  /// tools that it does not have yet.
  public AgentBuilder tools(ToolRegistry.Source source) {
    executor.tools(source);
    return this;
  }

  /// Sets defaults for tools that state nothing themselves.
  public AgentBuilder defaults(ToolDefaults common) {
    executor.defaults(common);
    return this;
  }

  /// Adds guardrails, which check the messages, calls and results of its conversations.
  ///
  /// @throws IllegalArgumentException when the agent is built and two have the same name
  public AgentBuilder guardrails(Guardrail... added) {
    return guardrails(List.of(added), List.of());
  }

  /// Adds guardrails, which check the messages, calls and results of its conversations.
  ///
  /// @param secrets values that must not leave, beside those of the environment whose names say so
  public AgentBuilder guardrails(List<Guardrail> added, List<String> secrets) {
    executor.guardrails(added, secrets);
    return this;
  }

  /// Adds rules for calls.
  public AgentBuilder rules(ToolRule... added) {
    return rules(List.of(added));
  }

  /// Adds rules for calls.
  public AgentBuilder rules(List<ToolRule> added) {
    executor.rules(added);
    memory.rules(added);
    return this;
  }

  /// Sets the prompt; `{name}` is replaced by the variable of that name.
  public AgentBuilder prompt(String text) {
    prompt = text;
    return this;
  }

  /// Sets the text for a placeholder: control characters are removed, and it is cut after 500.
  public AgentBuilder variable(String placeholder, String text) {
    variables.put(placeholder, text);
    return this;
  }

  /// Sets the texts for placeholders.
  public AgentBuilder variables(Map<String, String> added) {
    variables.putAll(added);
    return this;
  }

  /// Sets the first message, which the agent says before the user; it may have placeholders.
  public AgentBuilder firstMessage(String text) {
    firstMessage = text;
    return this;
  }

  /// Sets the limits of its turns.
  public AgentBuilder limits(AgentLimits bounds) {
    limits = bounds;
    return this;
  }

  /// Limits what its conversations spend on models. A cost needs a price for each of its models.
  public AgentBuilder budget(Budget most) {
    budget = most;
    return this;
  }

  /// Sets what models cost.
  public AgentBuilder prices(Prices known) {
    prices = known;
    return this;
  }

  /// Adds a hook around every model request; hooks run in order.
  public AgentBuilder hook(ModelHook hook) {
    hooks.add(hook);
    return this;
  }

  /// Stores conversations there, beyond this process; close the store yourself.
  ///
  /// @throws RuntimeException when the store cannot be read
  public AgentBuilder store(ConversationStore kept) {
    store = kept;
    executor.store(kept);
    return this;
  }

  /// Asks that approver for consent, and waits for the answer within the turn, which is then never
  /// pending.
  public AgentBuilder approver(Approver asked) {
    asksInline = true;
    executor.approver(asked);
    return this;
  }

  /// Sets how long a request for consent waits for an answer. The default is 24 hours where the
  /// conversation is stored, and 5 minutes otherwise, in phone calls, and for an [Approver].
  ///
  /// @throws IllegalArgumentException when the duration is not positive
  public AgentBuilder consentTimeout(Duration length) {
    executor.consentTimeout(length);
    return this;
  }

  /// Sets whether a new message of the user denies waiting calls; otherwise it is refused.
  public AgentBuilder denyPending(boolean denied) {
    denyPending = denied;
    return this;
  }

  /// Sets whether requests for consent are for others than the user of the conversation: clients of
  /// a server then need the role `approve` to answer them.
  public AgentBuilder asksApprover(boolean other) {
    asksApprover = other;
    return this;
  }

  /// Sets what an MCP server offers to everyone who may call the agent's tools, not only to
  /// operators: `memory`, `prompt`.
  public AgentBuilder shareOverMcp(Set<String> parts) {
    sharedOverMcp = Set.copyOf(parts);
    return this;
  }

  /// Adds a listener to calls.
  public AgentBuilder listener(ExecutionListener listener) {
    executor.listener(listener);
    return this;
  }

  /// Shows the model the message of every exception: for development only.
  public AgentBuilder exposeErrors(boolean exposed) {
    executor.exposeErrors(exposed);
    return this;
  }

  /// Stores blocks of memory, entries and messages there; close it yourself. Without one, memory
  /// lasts as long as the agent.
  public AgentBuilder memory(MemoryStore kept) {
    memory.store(kept);
    return this;
  }

  /// Sets the blocks of memory that it begins with; existing blocks of the same label are not
  /// changed.
  ///
  /// @throws IllegalArgumentException when one is another agent's
  public AgentBuilder blocks(List<Block> begun) {
    memory.blocks(begun);
    return this;
  }

  /// Lets it use these blocks of other agents in the same memory, with these permissions and at
  /// most those of their own agents.
  ///
  /// @throws IllegalArgumentException when one is shared with another agent
  public AgentBuilder sharedBlocks(List<MemoryStore.Share> added) {
    memory.sharedBlocks(added);
    return this;
  }

  /// Enables these built-in tools: `block`, `recall`, `search`, `send_message`.
  ///
  /// @throws IllegalArgumentException when there is no built-in tool of a name
  public AgentBuilder builtIns(String... names) {
    memory.builtIns(names);
    return this;
  }

  /// Adds domains to its tool `search`.
  public AgentBuilder searchDomains(SearchDomain... added) {
    memory.searchDomains(List.of(added));
    return this;
  }

  /// Sends messages through that router; without one they are shown to the user of their
  /// conversation, and there are no other targets.
  public AgentBuilder router(MessageRouter delivering) {
    router = delivering;
    targets = null;
    return this;
  }

  /// Sends messages through that router, and offers the model these targets alone.
  public AgentBuilder router(MessageRouter delivering, List<MessageRouter.Target> offered) {
    router = delivering;
    targets = List.copyOf(offered);
    return this;
  }

  /// Gives handlers these data sources; close them yourself.
  public AgentBuilder sources(DataSources given) {
    sources = given;
    return this;
  }

  /// Sets who shares its memory: by default each principal has its own; all principals share blocks
  /// that they may only read.
  public AgentBuilder memoryScope(Memory.Scope scope) {
    memory.scope(scope);
    return this;
  }

  /// Sets which of its blocks all principals share, by their labels.
  public AgentBuilder blocksForAll(Collection<String> labels) {
    memory.blocksForAll(labels);
    return this;
  }

  /// Sets its clock.
  public AgentBuilder time(Time clock) {
    time = clock;
    executor.time(clock);
    return this;
  }

  /// Adds an action that runs when the agent is closed, such as closing a store that was opened for
  /// it.
  public AgentBuilder onClose(Runnable action) {
    onClose = action;
    return this;
  }

  /// Builds the agent.
  ///
  /// @throws IllegalArgumentException when two tools have the same name, a search domain has no
  ///   unique name or no tool `search`, a required source of tools is unavailable, or with every
  ///   fault of the rules
  public Agent build() {
    Conversations open = new Conversations();
    Agent agent = new Agent(parts(model == null ? new NoModel(name) : model, open), open);
    if (router != null) {
      agent.hasMessages(router);
    }
    return agent;
  }

  private AgentParts parts(ChatModel used, Conversations open) {
    Budget most = budget.checked(name, model, fallbacks, prices);
    AgentSpending spending = new AgentSpending(most, prices, store, clock());
    Services services = services(memory.open(), new CountedModel(used, spending), open);
    executor.services(services).tools(memory.tools(targets));
    return new AgentParts(
        name,
        used,
        List.copyOf(fallbacks),
        form,
        executor.build(),
        new Prompt(prompt),
        new Variables(variables),
        firstMessage,
        limits,
        List.copyOf(hooks),
        store,
        asksInline,
        denyPending,
        asksApprover,
        sharedOverMcp,
        clock(),
        memory.build(services, clock()),
        new AtomicReference<>(),
        spending,
        onClose);
  }

  private Services services(MemoryStore kept, ChatModel used, Conversations open) {
    return Services.of(name, kept, clock())
        .withScope(memory.scope())
        .withRouter(router == null ? new LocalRouter(clock()).user(open::deliver) : router)
        .withModel(used)
        .withSources(sources);
  }

  private Time clock() {
    Time own = time;
    if (own != null) {
      return own;
    }
    return store == null ? Time.SYSTEM : store.time();
  }
}
