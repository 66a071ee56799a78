package dev.switchboard.agent;

import dev.switchboard.builtin.BuiltInTools;
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
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery.SearchDomain;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolSchemaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An [Agent] in the making.
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
  private @Nullable ConversationStore store;
  private boolean asksInline;
  private boolean denyPending;
  private Time time = Time.SYSTEM;
  private final List<Block> blocks = new ArrayList<>();
  private final Set<String> builtIns = new LinkedHashSet<>();
  private final Set<String> named = new HashSet<>(); // of tools that were given
  private final Set<String> needed = new LinkedHashSet<>(); // by rules
  private final List<SearchDomain> domains = new ArrayList<>();
  private @Nullable MemoryStore memory;
  private @Nullable MessageRouter router;
  private DataSources sources = DataSources.NONE;
  private Runnable onClose = () -> {};

  AgentBuilder(String name) {
    this.name = name;
  }

  /// The model that it talks with. An agent without one can only be talked with where something
  /// else brings a model, as on the phone.
  public AgentBuilder model(ChatModel used) {
    model = used;
    return this;
  }

  /// Asks these models in the place of the first, one after the other, where one fails for a reason
  /// that the next need not share: its service is down, overloaded, silent or talks nonsense, or it
  /// takes no request of this account. Not after words of its reply were shown.
  public AgentBuilder fallback(ChatModel... others) {
    fallbacks.addAll(List.of(others));
    return this;
  }

  /// Has the last words of every turn be the JSON of that type, a record or a sealed interface of
  /// records.
  ///
  /// @throws ToolSchemaException when something in the type has no JSON Schema
  public AgentBuilder reply(Class<?> type) {
    form = ReplyForm.of(type);
    return this;
  }

  /// Has the last words of every turn be a JSON object that meets that JSON Schema.
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
    added.forEach(tool -> named.add(tool.name()));
    return this;
  }

  /// Adds the tools of that source, such as an MCP server, which the agent closes. Rules may name
  /// tools that it does not have yet.
  public AgentBuilder tools(ToolRegistry.Source source) {
    executor.tools(source);
    return this;
  }

  /// Runs its tools so where they state nothing themselves.
  public AgentBuilder defaults(ToolDefaults common) {
    executor.defaults(common);
    return this;
  }

  /// Checks the words, calls and results of its conversations with these.
  ///
  /// @throws IllegalArgumentException when the agent is built and two have the same name
  public AgentBuilder guardrails(Guardrail... added) {
    return guardrails(List.of(added), List.of());
  }

  /// The same.
  ///
  /// @param secrets values that must not leave, beside those of the environment whose names say so
  public AgentBuilder guardrails(List<Guardrail> added, List<String> secrets) {
    executor.guardrails(added, secrets);
    return this;
  }

  /// Holds the calls to these rules.
  public AgentBuilder rules(ToolRule... added) {
    return rules(List.of(added));
  }

  /// Holds the calls to these rules.
  public AgentBuilder rules(List<ToolRule> added) {
    executor.rules(added);
    added.stream()
        .filter(rule -> rule.type() instanceof RuleType.Needed)
        .forEach(rule -> needed.add(rule.tool()));
    return this;
  }

  /// What the model is told to be; `{name}` stands for the variable of that name.
  public AgentBuilder prompt(String text) {
    prompt = text;
    return this;
  }

  /// The text for a placeholder: control characters are taken out, and it is cut after 500.
  public AgentBuilder variable(String placeholder, String text) {
    variables.put(placeholder, text);
    return this;
  }

  /// The texts for placeholders.
  public AgentBuilder variables(Map<String, String> added) {
    variables.putAll(added);
    return this;
  }

  /// What the agent says before the user does; it may have placeholders.
  public AgentBuilder firstMessage(String text) {
    firstMessage = text;
    return this;
  }

  /// Bounds its turns.
  public AgentBuilder limits(AgentLimits bounds) {
    limits = bounds;
    return this;
  }

  /// Calls that hook around every question to the model, in the order of the hooks.
  public AgentBuilder hook(ModelHook hook) {
    hooks.add(hook);
    return this;
  }

  /// Keeps conversations there, beyond this process; whoever opened it closes it.
  ///
  /// @throws RuntimeException when the store cannot be read
  public AgentBuilder store(ConversationStore kept) {
    store = kept;
    executor.store(kept);
    return this;
  }

  /// Asks there for consent, and waits for the answer within the turn, which so is never pending.
  public AgentBuilder approver(Approver asked) {
    asksInline = true;
    executor.approver(asked);
    return this;
  }

  /// Waits so long for an answer to a request for consent.
  ///
  /// @throws IllegalArgumentException when the length of time is not positive
  public AgentBuilder consentTimeout(Duration length) {
    executor.consentTimeout(length);
    return this;
  }

  /// Whether a new sentence of the user denies what waits for consent; it is refused otherwise.
  public AgentBuilder denyPending(boolean denied) {
    denyPending = denied;
    return this;
  }

  /// Tells that listener what happens to calls.
  public AgentBuilder listener(ExecutionListener listener) {
    executor.listener(listener);
    return this;
  }

  /// Shows the model the message of every exception: for development only.
  public AgentBuilder exposeErrors(boolean exposed) {
    executor.exposeErrors(exposed);
    return this;
  }

  /// Keeps blocks of memory, entries and what was said there; whoever opened it closes it. Without
  /// one, memory lasts as long as the agent.
  public AgentBuilder memory(MemoryStore kept) {
    memory = kept;
    return this;
  }

  /// The blocks of memory that it begins with; those that its memory knows by their label stay as
  /// they are.
  ///
  /// @throws IllegalArgumentException when one is another agent's
  public AgentBuilder blocks(List<Block> begun) {
    for (Block block : begun) {
      if (!block.agent().equals(name)) {
        throw new IllegalArgumentException(
            "block '%s' is of agent '%s', not of '%s'"
                .formatted(block.label(), block.agent(), name));
      }
    }
    blocks.addAll(begun);
    return this;
  }

  /// Gives it these built-in tools: `block`, `recall`, `search`, `send_message`.
  ///
  /// @throws IllegalArgumentException when there is no built-in tool of a name
  public AgentBuilder builtIns(String... names) {
    for (String builtIn : names) {
      builtIns.add(BuiltInTools.of(builtIn).name());
    }
    return this;
  }

  /// Lets its tool `search` find what is in these domains too.
  public AgentBuilder searchDomains(SearchDomain... added) {
    domains.addAll(List.of(added));
    return this;
  }

  /// Sends messages there; without one they are shown to the user of their conversation, and nobody
  /// else can be written to.
  public AgentBuilder router(MessageRouter delivering) {
    router = delivering;
    return this;
  }

  /// Gives handlers these data sources; whoever made them closes them.
  public AgentBuilder sources(DataSources given) {
    sources = given;
    return this;
  }

  /// Goes by that clock.
  public AgentBuilder time(Time clock) {
    time = clock;
    executor.time(clock);
    return this;
  }

  /// Does that when the agent is closed, such as to close a store that was opened for it alone.
  public AgentBuilder onClose(Runnable action) {
    onClose = action;
    return this;
  }

  /// The agent.
  ///
  /// @throws IllegalArgumentException when two tools have the same name, a search domain has no
  ///   name of its own or no tool `search`, a source of tools that is required is not there, or
  ///   with every fault of the rules
  public Agent build() {
    Conversations open = new Conversations();
    return new Agent(parts(model == null ? new NoModel(name) : model, open), open);
  }

  private AgentParts parts(ChatModel used, Conversations open) {
    MemoryStore kept = memory == null ? new InProcessMemory() : memory;
    Memory.begin(kept, blocks);
    needed.stream()
        .filter(name -> BuiltInTools.NAMES.contains(name) && !named.contains(name))
        .forEach(builtIns::add);
    Services services = services(kept, used, open);
    executor.services(services).tools(BuiltInTools.of(builtIns, domains));
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
        time,
        new AgentMemory(services, keepsWords(), builtIns),
        onClose);
  }

  private Services services(MemoryStore kept, ChatModel used, Conversations open) {
    return Services.of(name, kept, time)
        .withRouter(router == null ? new LocalRouter(time).user(open::deliver) : router)
        .withModel(used)
        .withSources(sources);
  }

  /// Whether somebody may want to search what was said: without that it would only pile up.
  private boolean keepsWords() {
    return memory != null || !blocks.isEmpty() || !builtIns.isEmpty();
  }

  /// Of an agent that was given none.
  private record NoModel(String agent) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      throw new ModelException(
          ModelException.Kind.REFUSED,
          "agent '" + agent + "' has no model to talk with: AgentBuilder.model(..) sets it",
          null);
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }

    @Override
    public String name() {
      return "none";
    }
  }
}
