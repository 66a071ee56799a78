package dev.switchboard.bench;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.memory.ChatMemoryAccess;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.bench.Shop.Order;
import dev.switchboard.bench.Shop.Receipt;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;

/// An assistant of the shop on each runtime, set up as its manual says: the same prompt, the same
/// tool, and a memory of the same length.
final class Assistants {
  /// Messages that a model reads of what was said before.
  private static final int WINDOW = 20;

  private static final String PROMPT = "You take the orders of a shop.";
  private static final Shop SHOP = new Shop();

  private Assistants() {}

  /// LangChain4j's, which remembers conversations.
  interface Remembering extends ChatMemoryAccess {
    String chat(@MemoryId String conversation, @UserMessage String text);
  }

  /// LangChain4j's without a memory, so that each turn stands by itself.
  interface Forgetful {
    String chat(String text);
  }

  /// Ours, its handler on a thread of its own.
  static Agent isolated(Script model) {
    return agent(model, tool().handler(SHOP::order));
  }

  /// Ours, its handler on the thread of the turn.
  static Agent inline(Script model) {
    return agent(model, tool().inline().handler(SHOP::order));
  }

  private static Tool.TypedBuilder<Order, Receipt> tool() {
    return Tool.typed(Contenders.NAME, Order.class).returns(Receipt.class).mode(ToolMode.READ);
  }

  private static Agent agent(Script model, Tool tool) {
    return Agent.builder("shop")
        .model(model)
        .prompt(PROMPT)
        .tools(tool)
        .limits(AgentLimits.DEFAULT.withHistory(WINDOW))
        .build();
  }

  static Remembering langChain4j(Script model) {
    return langChain4j(model, SHOP);
  }

  /// LangChain4j's, its tool on a virtual thread of its own.
  static Remembering langChain4jIsolated(Script model) {
    return langChain4j(model, new IsolatedShop());
  }

  private static Remembering langChain4j(Script model, Object tools) {
    return langChain4j(Remembering.class, model, tools)
        .chatMemoryProvider(
            id -> MessageWindowChatMemory.builder().id(id).maxMessages(WINDOW).build())
        .build();
  }

  /// The shop, on a virtual thread that the caller waits for: the least that isolation can cost.
  public static final class IsolatedShop {
    /// The trivial handler.
    @dev.langchain4j.agent.tool.Tool(Contenders.NAME)
    public Receipt order(
        String customer,
        int quantity,
        Shop.Priority priority,
        Shop.Address address,
        List<String> tags)
        throws InterruptedException {
      Receipt[] receipt = new Receipt[1];
      Thread.ofVirtual()
          .start(() -> receipt[0] = SHOP.order(customer, quantity, priority, address, tags))
          .join();
      return receipt[0];
    }
  }

  static Forgetful langChain4jForgetful(Script model) {
    return langChain4j(Forgetful.class, model, SHOP).build();
  }

  private static <T> AiServices<T> langChain4j(Class<T> assistant, Script model, Object tools) {
    return AiServices.builder(assistant).chatModel(model).systemMessage(PROMPT).tools(tools);
  }

  static ChatClient spring(Script model, ChatMemory memory) {
    return springClient(model)
        .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
        .build();
  }

  static ChatMemory springMemory() {
    return org.springframework.ai.chat.memory.MessageWindowChatMemory.builder()
        .maxMessages(WINDOW)
        .build();
  }

  static ChatClient springForgetful(Script model) {
    return springClient(model).build();
  }

  private static ChatClient.Builder springClient(Script model) {
    return ChatClient.builder(model.spring())
        .defaultSystem(PROMPT)
        .defaultToolCallbacks(Contenders.springFunction());
  }

  /// What Spring's assistant answers in that conversation.
  static String chat(ChatClient spring, String conversation, String text) {
    return String.valueOf(
        spring
            .prompt()
            .user(text)
            .advisors(advisor -> advisor.param(ChatMemory.CONVERSATION_ID, conversation))
            .call()
            .content());
  }
}
