package dev.switchboard.provider;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// The packages of the providers and the compiler of TypeScript, each a process for all cases.
final class SdkPrograms {
  private static final List<String> IMPORTS =
      List.of("import OpenAI from 'openai';", "import Anthropic from '@anthropic-ai/sdk';");
  private static final Pattern ERROR = Pattern.compile("requests\\.ts\\(([0-9]+),[0-9]+\\): .*");

  private SdkPrograms() {}

  /// A request.
  ///
  /// @param name of the case in messages
  record Request(String name, Sdk sdk, JsonNode body) {}

  /// A stream to read.
  ///
  /// @param url the base URL of the server that answers with it
  record Source(Sdk sdk, String url) {}

  /// What the compiler says of each request as a literal of its type, nothing for a correct one.
  ///
  /// @param folder an empty one
  static List<List<String>> typeErrors(List<Request> requests, Path folder) {
    List<String> lines = new ArrayList<>(IMPORTS);
    List<List<String>> errors = new ArrayList<>();
    for (Request request : requests) {
      lines.add(
          "export const r%d: %s = %s;"
              .formatted(errors.size(), request.sdk().type(), request.body()));
      errors.add(new ArrayList<>());
    }
    try {
      Files.createSymbolicLink(folder.resolve("node_modules"), packages());
      Files.write(folder.resolve("requests.ts"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (String line : compile(folder)) {
      Matcher error = ERROR.matcher(line);
      int request = error.matches() ? Integer.parseInt(error.group(1)) - IMPORTS.size() - 1 : -1;
      if (request >= 0) {
        errors.get(request).add(line);
      } else if (!line.startsWith(" ")) { // not the rest of a message
        throw new AssertionError("tsc: " + line);
      }
    }
    return errors;
  }

  private static List<String> compile(Path folder) {
    return run(
        folder,
        "",
        packages().resolve("typescript/bin/tsc").toString(),
        "--strict",
        "--noEmit",
        "--skipLibCheck",
        "--pretty",
        "false",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "requests.ts");
  }

  /// The replies that the packages read, in the form of `read.mjs`.
  static List<JsonNode> read(List<Source> sources) {
    ArrayNode input = Codec.object().arrayNode();
    for (Source source : sources) {
      input.addObject().put("api", source.sdk().reader()).put("url", source.url());
    }
    packages();
    List<JsonNode> replies =
        run(Places.servers(), input.toString(), "read.mjs").stream()
            .map(line -> Json.text(line).tree())
            .toList();
    if (replies.size() != sources.size()) {
      throw new AssertionError(replies.size() + " replies to " + sources.size() + " streams");
    }
    return replies;
  }

  private static Path packages() {
    Path packages = Places.servers().resolve("node_modules");
    if (!Files.exists(packages.resolve("typescript"))) {
      throw new AssertionError(
          packages + " has no typescript: run `npm ci --prefix agent/src/test/servers` first");
    }
    return packages;
  }

  private static List<String> run(Path folder, String input, String... command) {
    List<String> whole = new ArrayList<>(List.of("node"));
    whole.addAll(List.of(command));
    Process node;
    try {
      node =
          new ProcessBuilder(whole)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new AssertionError("node cannot be started: install Node 20 or later", e);
    }
    try (var in = node.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return node.inputReader(StandardCharsets.UTF_8).lines().toList();
  }
}
