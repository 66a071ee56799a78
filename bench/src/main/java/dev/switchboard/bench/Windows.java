package dev.switchboard.bench;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.chat.TokenWindowChatMemory;
import dev.langchain4j.model.TokenCountEstimator;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.Conversation;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.List;

/// What a conversation costs that is many times as long as its model's window: the tokens that are
/// sent, and how many of them a provider has in its cache, since the request before began with
/// them.
///
/// A token is 4 characters. A provider caches beginnings of 1,024 tokens and more, at a tenth of
/// the price.
final class Windows {
  private static final int WINDOW = 8_000;
  private static final int CHARACTERS = 4;
  private static final int LEAST_CACHED = 1_024;
  private static final double CACHED_PRICE = 0.1;
  private static final String PROMPT =
      "You take the orders of a shop, in the words of the shop. ".repeat(40);

  private Windows() {}

  static List<Row> run(boolean quick) {
    int turns = quick ? 500 : 2_000;
    Sent ours = ours(turns);
    Sent theirs = langChain4j(turns);
    String what = "a turn of " + turns + " in a window of 8,000 tokens / LangChain4j: ";
    return List.of(
        row(what + "tokens sent", "%,.0f", ours.tokens() / turns, theirs.tokens() / turns),
        row(what + "share of them in the cache", "%.2f", ours.share(), theirs.share()),
        row(
            what + "price, in tokens without cache",
            "%,.0f",
            ours.price() / turns,
            theirs.price() / turns));
  }

  private static Row row(String what, String form, double ours, double theirs) {
    return Row.of(what, form, ours, theirs, ours / theirs);
  }

  /// What was sent.
  private static final class Sent {
    private final Script script = new Script();
    private List<String> before = List.of();
    private double tokens;
    private double cached;

    void request(List<String> parts) {
      int same = 0;
      long common = 0;
      long all = 0;
      boolean equal = true;
      for (String part : parts) {
        equal = equal && same < before.size() && before.get(same).equals(part);
        same++;
        all += part.length();
        common += equal ? part.length() : 0;
      }
      before = parts;
      tokens += (double) all / CHARACTERS;
      cached += common / CHARACTERS >= LEAST_CACHED ? (double) common / CHARACTERS : 0;
    }

    double tokens() {
      return tokens;
    }

    double share() {
      return cached / tokens;
    }

    double price() {
      return tokens - cached + cached * CACHED_PRICE;
    }
  }

  /// Our model, which states its window.
  private record Ours(Sent sent) implements dev.switchboard.model.ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      List<String> parts = new ArrayList<>();
      request.declared().forEach(tool -> parts.add(tool.name() + tool.parameters().text()));
      request.messages().forEach(message -> parts.add(message.toString()));
      sent.request(parts);
      long tokens = parts.stream().mapToLong(String::length).sum() / CHARACTERS;
      return sent.script.reply(request, stream).withUsage(new ModelReply.Usage(tokens, 20));
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }

    @Override
    public int window() {
      return WINDOW;
    }
  }

  /// LangChain4j's model.
  private record Theirs(Sent sent) implements dev.langchain4j.model.chat.ChatModel {
    @Override
    public ChatResponse doChat(ChatRequest request) {
      List<String> parts = new ArrayList<>();
      request.toolSpecifications().forEach(tool -> parts.add(tool.toString()));
      request.messages().forEach(message -> parts.add(message.toString()));
      sent.request(parts);
      return sent.script.doChat(request);
    }
  }

  /// A token for 4 characters.
  private static final class Estimator implements TokenCountEstimator {
    @Override
    public int estimateTokenCountInText(String text) {
      return text.length() / CHARACTERS;
    }

    @Override
    public int estimateTokenCountInMessage(ChatMessage message) {
      return estimateTokenCountInText(message.toString());
    }

    @Override
    public int estimateTokenCountInMessages(Iterable<ChatMessage> messages) {
      int tokens = 0;
      for (ChatMessage message : messages) {
        tokens += estimateTokenCountInMessage(message);
      }
      return tokens;
    }
  }

  /// An order in every third message, and words in the others.
  private static String words(int turn) {
    return turn % 3 == 0
        ? Shop.order(turn)
        : "And what about number " + turn + "? " + "Tell me more of it. ".repeat(12);
  }

  private static Sent ours(int turns) {
    Sent sent = new Sent();
    try (Agent agent =
        Agent.builder("shop")
            .model(new Ours(sent))
            .prompt(PROMPT)
            .tools(
                Tool.typed(Contenders.NAME, Shop.Order.class)
                    .returns(Shop.Receipt.class)
                    .mode(ToolMode.READ)
                    .handler(new Shop()::order))
            .limits(AgentLimits.DEFAULT.withHistory(2_000))
            .build()) {
      Conversation talk = agent.conversation("long");
      for (int turn = 0; turn < turns; turn++) {
        if (talk.say(words(turn)).toString().isEmpty()) {
          throw new IllegalStateException("no reply");
        }
      }
    }
    return sent;
  }

  private static Sent langChain4j(int turns) {
    Sent sent = new Sent();
    Assistants.Remembering assistant =
        AiServices.builder(Assistants.Remembering.class)
            .chatModel(new Theirs(sent))
            .systemMessage(PROMPT)
            .tools(new Shop())
            .chatMemoryProvider(id ->
                TokenWindowChatMemory.builder()
                    .id(id)
                    .maxTokens(WINDOW * 8 / 10, new Estimator())
                    .build())
            .build();
    for (int turn = 0; turn < turns; turn++) {
      if (assistant.chat("long", words(turn)).isEmpty()) {
        throw new IllegalStateException("no reply");
      }
    }
    return sent;
  }
}
