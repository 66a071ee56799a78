package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.cli.chat.PlainView;
import dev.switchboard.cli.chat.Timings;
import dev.switchboard.cli.chat.TypedInput;
import dev.switchboard.cli.chat.VerboseModel;
import dev.switchboard.cli.chat.View;
import dev.switchboard.cli.demo.ClusterDemo;
import dev.switchboard.cli.demo.Demo;
import dev.switchboard.cli.demo.DemoView;
import dev.switchboard.cli.demo.PhoneDemo;
import dev.switchboard.cli.demo.Resources;
import dev.switchboard.cli.demo.Retries;
import dev.switchboard.cli.demo.WasmDemo;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.RecordedModel;
import dev.switchboard.provider.ModelNames;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `switchboard demo`: runs a demonstration.
@Command(
    name = "demo",
    description = {
      "Watch a conversation with a reservation agent.",
      "",
      "A booking service is started inside the command. Webhook tools call it over loopback, a tool"
          + " in Java reports progress, a busy endpoint is tried again, a broken one opens its"
          + " circuit breaker, and a rule asks for consent. The model is a recorded one, unless"
          + " --model names another or OPENAI_API_KEY is set."
    },
    footer = {
      "  switchboard demo",
      "  switchboard demo --json",
      "  switchboard demo --phone",
      "  switchboard demo --wasm",
      "  switchboard demo --cluster",
      "  switchboard demo --model anthropic:" + ModelNames.ANTHROPIC
    })
final class DemoCommand implements Callable<Integer> {
  private static final String MODEL = "openai:" + ModelNames.OPENAI;

  private final Terminal terminal;

  @Option(names = "--json", description = "Print the events as JSON, one a line.")
  private boolean json;

  @Option(
      names = "--model",
      paramLabel = "PROVIDER:NAME",
      description = "Talk with this model, over the network.")
  private @Nullable String model;

  @Option(names = "--offline", description = "Talk with the recorded model in any case.")
  private boolean offline;

  @Option(
      names = "--phone",
      description = "Watch a phone call instead, offline: carrier and model are simulated.")
  private boolean phone;

  @Option(
      names = "--wasm",
      description = "Watch WebAssembly modules answer, and one be stopped, offline.")
  private boolean wasm;

  @Option(
      names = "--cluster",
      description = "Watch two workers share a PostgreSQL database, and one be killed, offline.")
  private boolean cluster;

  DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (phone) {
      call(terminal.out());
    } else if (wasm) {
      runModules(terminal.out());
    } else if (cluster) {
      runWorkers(terminal.out());
    } else if (json) {
      View view = new JsonView(terminal);
      play(new Demo(view, new Retries(view)), view);
    } else if (Terminal.isTyped()) {
      try (TypedInput typed = TypedInput.ofProcess(null)) {
        show(new DemoView(typed.view(terminal.out(), terminal.colour()), false));
      }
    } else {
      show(new DemoView(new PlainView(terminal.out(), terminal.out()), true));
    }
    return 0;
  }

  private void call(PrintStream out) throws IOException {
    checkAlone(
        "--phone",
        json || model != null || wasm || cluster,
        "--json, --model, --wasm nor --cluster");
    try {
      new PhoneDemo(out::println).play();
    } catch (IllegalStateException e) {
      throw Failure.work(String.valueOf(e.getMessage()), e);
    }
    out.println("Next: docs/how-to/phone.md");
  }

  private void runModules(PrintStream out) throws IOException {
    checkAlone("--wasm", json || model != null || cluster, "--json, --model nor --cluster");
    new WasmDemo(out::println).play();
    out.println("Next: docs/how-to/wasm.md");
  }

  private void runWorkers(PrintStream out) throws IOException, InterruptedException {
    checkAlone("--cluster", json || model != null, "--json nor --model");
    try {
      new ClusterDemo(out::println).play();
    } catch (IllegalStateException e) {
      throw Failure.work(String.valueOf(e.getMessage()), e);
    }
    out.println("Next: docs/how-to/workers.md");
  }

  private static void checkAlone(String option, boolean others, String which) {
    if (others) {
      throw Failure.usage(option + " goes with neither " + which + ".", null);
    }
  }

  private void show(DemoView view) throws IOException {
    play(new Demo(view, new Timings(view)), view);
    view.say("\n" + view.summary());
    view.say("Next: docs/tutorial/first-tool.md, or switchboard chat --help");
  }

  private void play(Demo demo, View view) throws IOException {
    ChatModel used = model();
    try {
      if (!demo.play(new VerboseModel(used, view))) {
        throw Failure.work("The demonstration broke off; --offline needs no model.", null);
      }
      if (used instanceof RecordedModel recorded) {
        recorded.assertDone();
      }
    } catch (RecordedModel.MismatchException e) {
      throw Failure.work("The demonstration went otherwise than recorded: " + e.getMessage(), e);
    }
  }

  private ChatModel model() {
    if (model != null) {
      if (offline) {
        throw Failure.usage("--model and --offline do not go together.", null);
      }
      return ChatModelOptions.model(model);
    }
    try {
      return offline ? Resources.model() : Switchboard.model(MODEL);
    } catch (IllegalArgumentException e) {
      // There is no key.
      return Resources.model();
    }
  }
}
