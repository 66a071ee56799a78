package dev.switchboard.cli;

import dev.switchboard.provider.ModelNames;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `switchboard init`: creates a first agent to change.
@Command(
    name = "init",
    description = {
      "Write the file of a small agent that runs at once.",
      "",
      "It needs no key and no web service: a script answers for the model, until you change one"
          + " line. It has the built-in tools and one that runs a program, so it remembers what it"
          + " is told and knows the date. An existing file is not changed."
    },
    footer = {"  switchboard init", "  switchboard init desk.toml && switchboard chat desk.toml"})
final class InitCommand implements Runnable {
  private final Terminal terminal;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "agent.toml",
      description = "The file (default: agent.toml).")
  private Path file;

  InitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    String name = String.valueOf(file.getFileName());
    if (!name.matches("[\\w.-]+\\.toml")) {
      throw Failure.usage(
          "The name of the file must be letters, digits, '_', '-' and '.', and end in .toml, such"
              + " as agent.toml.",
          null);
    }
    String text = agent(name, name.replaceFirst("\\.toml$", ""));
    write(text);
    terminal
        .out()
        .println("Wrote " + file + ": an agent with a memory, which answers by a script.");
    terminal
        .out()
        .printf(
            "For a real model change line %d of it, and set OPENAI_API_KEY in the environment or in"
                + " a file .env beside it, which is yours alone after 'chmod 600 .env'.%n",
            text.lines().takeWhile(line -> !line.startsWith("model = ")).count() + 1);
    terminal.out().println("Then: " + CommandText.again("chat", file.toString()));
  }

  private static String agent(String file, String name) {
    return """
    # An agent. These commands work with it:
    #   switchboard validate %1$s      checks this file
    #   switchboard chat %1$s          talks with the agent
    #   switchboard serve %1$s         lets others talk with it, and shows everything in a console
    #   switchboard memory list %1$s   shows what it remembers
    # All keys: docs/reference/configuration.md

    [agent]
    name = "%2$s"
    # This model is a script without a key: it knows a few words and says what it is. For a real one
    # put one of these lines in its place. Its key is in the environment or in a file .env beside this.
    # model = { provider = "openai", name = "%3$s", reasoning = "none" } # OPENAI_API_KEY
    # model = "anthropic:%4$s" # ANTHROPIC_API_KEY
    # model = "ollama:%5$s" # needs no key
    model = "scripted:demo"
    # Used when that model fails: fallback = ["anthropic:%4$s"]
    # Replies as JSON with a schema: reply = { type = "object", properties = { .. } }
    # Guardrails: card numbers and secrets never leave, and instructions in results are not obeyed:
    # guardrails = ["card_number", "secrets", "instructions"]
    system_prompt = "You are a helpful assistant. Keep what you learn about the user in your memory."
    first_message = "Hello! What shall I remember for you?"
    # The built-in tools, and one of its own.
    tools = ["block", "recall", "search", "send_message", "get_date"]

    # A rule: the runtime calls get_date first, without the model. Other rules say what comes next, how
    # often, or what a person has to approve: switchboard agent add rule --help
    # [[agent.tool_rules]]
    # tool_name = "get_date"
    # rule_type = "StartConstraint"

    # A block of memory, which is in the prompt of every conversation.
    [agent.memory.user]
    description = "Who the user is: name, wishes, habits"

    # Conversations and memory are stored here; without it they end with the process.
    [storage]
    url = "sqlite:%2$s.db"

    # A program of this machine. Others are requests to services (http), webhooks (webhook_url) or
    # WebAssembly modules (wasm), or are made in Java. You are asked before a program runs, unless its
    # mode says otherwise.
    [[tools]]
    name = "get_date"
    description = "Tells the date and the time."
    mode = "read"
    command = ["date"]
    """
        .formatted(file, name, ModelNames.OPENAI, ModelNames.ANTHROPIC, ModelNames.OLLAMA);
  }

  private void write(String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw Failure.usage(file + " exists already and is not changed; name another file.", e);
    } catch (NoSuchFileException e) {
      throw Failure.usage("The folder of " + file + " does not exist.", e);
    } catch (IOException e) {
      throw Failure.work(FileFaults.unwritten(file, e), e);
    }
  }
}
