package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.model.ChatModel;
import dev.switchboard.time.Time;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What all conversations of an agent share.
///
/// @param fallbacks the models that are asked in the place of the first, in their order
/// @param form of every last reply, null for any
/// @param store null where conversations live and die with the process
/// @param onClose what is closed together with the agent
/// @param asksInline whether the executor has an approver of its own, who is waited for
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
    Time time,
    AgentMemory memory,
    Runnable onClose) {}
