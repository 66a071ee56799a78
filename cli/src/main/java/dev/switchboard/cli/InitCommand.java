package dev.switchboard.cli;

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
      "It has the built-in tools and one that runs a program, which need no web service: it"
          + " remembers what it is told, and knows the date. An existing file is not changed."
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
    write(agent(name, name.replaceFirst("\\.toml$", "")));
    terminal.out().println("Wrote " + file + ": an agent with a memory.");
    terminal
        .out()
        .println("Set OPENAI_API_KEY, in a file .env beside it too, or name another model there.");
    terminal.out().println("Then: " + CommandText.of("switchboard", "chat", file.toString()));
  }

  private static String agent(String file, String name) {
    return """
    # An agent. These commands work with it:
    #   switchboard validate %1$s      checks this file
    #   switchboard chat %1$s          talks with the agent
    #   switchboard serve %1$s         lets others talk with it, and shows all in a console
    #   switchboard memory list %1$s   shows what it remembers
    # All keys: docs/reference/configuration.md

    [agent]
    name = "%2$s"
    # The key is in OPENAI_API_KEY: in the environment, or in a file .env beside this one.
    # Others: "anthropic:claude-haiku-4-5", or "ollama:qwen3", which needs no key.
    model = "openai:gpt-4.1-mini"
    # Asked where that one is down: fallback = ["anthropic:claude-haiku-4-5"]
    # Replies as JSON of a form: reply = { type = "object", properties = { .. } }
    # What never leaves, nor is obeyed: guardrails = ["card_number", "secrets", "instructions"]
    system_prompt = "You are a helpful assistant. Keep what you learn about the user in your memory."
    first_message = "Hello! What shall I remember for you?"
    # The built-in tools, and one of its own.
    tools = ["block", "recall", "search", "send_message", "get_date"]

    # A rule: get_date is the first call, and made by itself. Others say what is next, how often, or
    # what a person has to agree to: switchboard agent add rule --help
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
    # WebAssembly modules (wasm), or are made in Java. A program is asked for before it runs, unless
    # its mode says otherwise.
    [[tools]]
    name = "get_date"
    description = "Tells the date and the time."
    mode = "read"
    command = ["date"]
    """
        .formatted(file, name);
  }

  private void write(String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw Failure.usage(file + " exists already and is not changed; name another file.", e);
    } catch (NoSuchFileException e) {
      throw Failure.usage("The folder of " + file + " does not exist.", e);
    } catch (IOException e) {
      String kind = e.getClass().getSimpleName();
      throw Failure.work(file + " cannot be written: " + kind + ".", e);
    }
  }
}
