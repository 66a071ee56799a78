package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.model.ChatModel;
import dev.switchboard.time.Time;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What all conversations of an agent share.
///
/// @param fallbacks the models that are asked if the first fails, in order
/// @param form of every reply, null for any
/// @param store null if conversations last as long as the process
/// @param latestHead that of the latest request of any conversation, null before the first
/// @param onClose what is closed together with the agent
/// @param asksApprover whether requests for consent are for others than the conversation's user
/// @param sharedOverMcp what an MCP server offers to everyone who may call its tools
/// @param spending what its models use, of all principals
/// @param asksInline whether the executor has a blocking approver of its own
record AgentParts(
    String name,
    ChatModel model,
    List<ChatModel> fallbacks,
    @Nullable ReplyForm form,
    ToolExecutor executor,
    Prompt prompt,
    Variables variables,
    @Nullable String firstMessage,
    AgentLimits limits,
    List<ModelHook> hooks,
    @Nullable ConversationStore store,
    boolean asksInline,
    boolean denyPending,
    boolean asksApprover,
    Set<String> sharedOverMcp,
    Time time,
    AgentMemory memory,
    AtomicReference<@Nullable RequestHead> latestHead,
    AgentSpending spending,
    Runnable onClose) {
  /// These parts for the conversations of that principal: with its memory.
  AgentParts forPrincipal(String principal) {
    return new AgentParts(
        name,
        model,
        fallbacks,
        form,
        executor,
        prompt,
        variables,
        firstMessage,
        limits,
        hooks,
        store,
        asksInline,
        denyPending,
        asksApprover,
        sharedOverMcp,
        time,
        memory.of(principal),
        latestHead,
        spending,
        onClose);
  }
}
