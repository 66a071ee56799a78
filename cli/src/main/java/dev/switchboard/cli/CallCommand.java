package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.cli.chat.CallScreen;
import dev.switchboard.cli.chat.PlainView;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.phone.Phones;
import dev.switchboard.phone.TypedCall;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard call`: a call with an agent on the keyboard.
@Command(
    name = "call",
    description = {
      "Hold a phone call with the agent on the keyboard.",
      "",
      "With --simulate there is no carrier, number or voice: the agent's model replies in text, and"
          + " its words count as heard at once. The rest is as on the phone, by the file's table"
          + " [phone] if it has one: greeting, tools, rules, consent, limits, transfers. /key 12#"
          + " presses keys, /hangup or the end of the input hangs up. In a pipe, each line of"
          + " standard input is a sentence of the caller, said when the agent waits for one. Exits"
          + " with 1 if the call failed."
    },
    footer = {
      "  switchboard call agent.toml --simulate",
      "  switchboard call agent.toml --simulate --from +4915112345678 --var plan=gold",
      "  printf '%s\\n' 'Where is my order?' '/key 1' | switchboard call agent.toml --simulate"
    })
final class CallCommand implements Callable<Integer> {
  private static final String NUMBER = "+15550001234"; // of a file that names none
  private static final String DESTINATION = "+15550001111"; // of one whose variable is not set

  private final Terminal terminal;

  @Mixin private final FoundAgent agent;
  @Mixin private ChatModelOptions model;

  @Option(names = "--simulate", description = "Hold the call on the keyboard, without a carrier.")
  private boolean simulate;

  @Option(
      names = "--from",
      paramLabel = "NUMBER",
      description = "The caller's number (default: ${DEFAULT-VALUE}).")
  private String from = "+14155550100";

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "A parameter of the carrier, for prompt and first message; may be repeated.")
  private Map<String, String> variables = Map.of();

  CallCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    agent = new FoundAgent(folder);
  }

  @Override
  public Integer call() throws IOException {
    if (!simulate) {
      throw Failure.usage(
          "Calls to phone numbers are not there yet; --simulate holds one on the keyboard.", null);
    }
    if (!PhoneNumber.is(from)) {
      throw Failure.usage("--from must be + and 7 to 15 digits, not '" + from + "'.", null);
    }
    AgentFile file = agent.readAll(terminal);
    try (ChatModelOptions.Opened opened =
            model.open(file, agent.file(), new PlainView(terminal.err(), terminal.err()));
        OpenedStorage kept = OpenedStorage.open(agent.file(), file, terminal.err())) {
      return hold(file, opened, kept);
    }
  }

  private int hold(AgentFile file, ChatModelOptions.Opened opened, OpenedStorage kept)
      throws IOException {
    String id = "sim-" + UUID.randomUUID();
    ReplayedModel replies = new ReplayedModel(opened.model());
    CallScreen screen =
        new CallScreen(
            terminal.out(), terminal.colour(), Time.SYSTEM, call -> remedy(kept.store(), id, call));
    AgentBuilder builder =
        Switchboard.agent(file)
            .model(replies)
            .fallback(opened.inItsPlace())
            .memory(kept.memory())
            .listener(screen);
    ConversationStore store = kept.store();
    Agent built = AgentArgument.built(store == null ? builder::build : builder.store(store)::build);
    String reason = hold(id, built, settings(file), screen);
    replies.throwMismatch();
    return reason.equals(TypedCall.FAILED) ? 1 : 0;
  }

  private String hold(String id, Agent answering, CallSettings settings, CallScreen screen)
      throws IOException {
    Carrier.Arrival arrival =
        new Carrier.Arrival(id, from, settings.number(), "inbound", variables);
    boolean typed = Terminal.isTyped();
    if (typed) {
      terminal.out().println("Type what the caller says; /help lists what else there is.");
    }
    try (TypedCall call = TypedCall.start(arrival, answering, settings, Time.SYSTEM, screen)) {
      TypedCaller caller = new TypedCaller(terminal, call, screen, typed);
      return Signals.ending(call::close, caller::run);
    }
  }

  private String remedy(@Nullable ConversationStore store, String id, String call) {
    return store == null
        ? "A table [storage] lets 'switchboard approvals' answer."
        : "Answer with: "
            + CommandText.again("approvals", "approve", id + "/" + call, agent.file().toString());
  }

  /// The settings of the file, with numbers for those that it takes from variables that are not
  /// set.
  private CallSettings settings(AgentFile file) {
    CallSettings stated = Phones.callSettings(file);
    if (stated == null) {
      return CallSettings.of(NUMBER);
    }
    Map<String, String> to = new HashMap<>(stated.transfer().to());
    to.replaceAll((name, number) -> {
      if (PhoneNumber.is(number)) {
        return number;
      }
      terminal
          .err()
          .println("The number of '%s' is not set; %s stands for it.".formatted(name, DESTINATION));
      return DESTINATION;
    });
    Transfer transfer = stated.transfer();
    return stated
        .change()
        .number(PhoneNumber.is(stated.number()) ? stated.number() : NUMBER)
        .transfer(new Transfer(to, transfer.allow(), transfer.raw()))
        .build();
  }
}
