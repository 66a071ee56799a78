package dev.switchboard.store;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.time.Time;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// A process that talks in a conversation for as long as it lives, and says the number of each
/// sentence once its turn has ended. Each turn is some calls of a webhook.
///
/// @param file where the conversation is kept
/// @param conversation its id
/// @param model where the model is
/// @param webhook where the tool is
/// @param life how often it was killed: the clock is so many minutes ahead, so that nobody waits
///   for the end of a dead process's hold
/// @param first the number of its first sentence
record KilledTalker(
    Path file, String conversation, String model, String webhook, int life, int first) {
  private static final String DONE = "Done.";

  /// How a process is told all of that, as one argument.
  String place() {
    return String.join(
        " ",
        file.toString(),
        conversation,
        model,
        webhook,
        String.valueOf(life),
        String.valueOf(first));
  }

  static KilledTalker of(String place) {
    String[] words = place.split(" ");
    return new KilledTalker(
        Path.of(words[0]),
        words[1],
        words[2],
        words[3],
        Integer.parseInt(words[4]),
        Integer.parseInt(words[5]));
  }

  /// The machine's clock, some minutes ahead.
  private record Ahead(Duration length) implements Time {
    @Override
    public Instant now() {
      return SYSTEM.now().plus(length);
    }

    @Override
    public long nanos() {
      return SYSTEM.nanos();
    }

    @Override
    public void await(Time.Signal signal, long untilNanos) {
      SYSTEM.await(signal, untilNanos);
    }

    @Override
    public void pause(Time.Signal signal, Duration length) {
      SYSTEM.pause(signal, length);
    }

    @Override
    public Time.Alarm alarm(long atNanos, Runnable action) {
      return SYSTEM.alarm(atNanos, action);
    }
  }

  Agent agent(ConversationStore store) {
    return Agent.builder("talker")
        .model(OpenAiModel.of("stub", ModelOptions.builder().baseUrl(model).build()))
        .tools(
            Tool.dynamic("set_step")
                .network(GuardedHttp.allowing(URI.create(webhook).getAuthority()))
                .webhook(URI.create(webhook)))
        .rules(ToolRule.maxCalls("set_step", 1_000_000))
        .store(store)
        .time(new Ahead(Duration.ofMinutes(life)))
        .build();
  }

  public static void main(String[] args) {
    KilledTalker talker = of(args[0]);
    try (ConversationStore store = Storage.sqlite(talker.file, "talker")) {
      Agent agent = talker.agent(store);
      for (int number = talker.first; ; ) {
        try {
          Conversation talk = agent.conversation(talker.conversation);
          Turn broken = talk.resume();
          if (broken != null && !broken.equals(new Turn.Reply(DONE))) {
            throw new IllegalStateException(broken.toString());
          }
          Turn turn = talk.say(talker.life + "-" + number);
          if (!turn.equals(new Turn.Reply(DONE))) {
            throw new IllegalStateException(turn.toString());
          }
          System.out.println(number++);
        } catch (ConversationConflictException e) {
          System.out.println("conflict");
        }
      }
    }
  }
}
