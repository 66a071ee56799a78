package dev.switchboard.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Java of a page that belongs together: one block, or several of which each continues the one
/// before.
///
/// @param outputs what the page says that its blocks print
/// @param resources what the page says to save beside its classes
record Example(
    String packageName, List<Block> blocks, List<Output> outputs, List<Block> resources) {
  /// The class that holds what stands in no file of its own.
  static final String WRAPPER = "Page";

  private static final String IMPORTS =
      """
      import static org.assertj.core.api.Assertions.assertThat;

      import dev.switchboard.*;
      import dev.switchboard.agent.*;
      import dev.switchboard.anthropic.*;
      import dev.switchboard.config.*;
      import dev.switchboard.consent.*;
      import dev.switchboard.execution.*;
      import dev.switchboard.command.LocalCommand;
      import dev.switchboard.handler.*;
      import dev.switchboard.rest.HttpEndpoint;
      import dev.switchboard.json.*;
      import dev.switchboard.memory.Block;
      import dev.switchboard.memory.Block.Kind;
      import dev.switchboard.memory.Embeddings;
      import dev.switchboard.memory.Entry;
      import dev.switchboard.memory.MemoryQuery.Hits;
      import dev.switchboard.memory.InProcessMemory;
      import dev.switchboard.memory.Memory;
      import dev.switchboard.memory.MemoryException;
      import dev.switchboard.memory.MemoryFile;
      import dev.switchboard.memory.MemoryQuery;
      import dev.switchboard.memory.MemoryStore;
      import dev.switchboard.memory.MemoryQuery.SearchDomain;
      import dev.switchboard.memory.SemanticMemory;
      import dev.switchboard.memory.Block.Permission;
      import dev.switchboard.model.*;
      import dev.switchboard.observe.*;
      import dev.switchboard.openai.*;
      import dev.switchboard.rule.*;
      import dev.switchboard.store.*;
      import dev.switchboard.testing.*;
      import dev.switchboard.time.*;
      import dev.switchboard.tool.*;
      import dev.switchboard.webhook.*;
      import java.io.*;
      import java.net.*;
      import java.nio.charset.StandardCharsets;
      import java.nio.file.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import org.jspecify.annotations.Nullable;
      import org.junit.jupiter.api.Test;
      """;

  private static final Pattern MEMBER =
      Pattern.compile(
          "^(?:@\\w+(?:\\(.*\\))?\\s*)*"
              + "(?:(?:public|private|static|final|abstract|sealed|non-sealed)\\s+)*"
              + "(?:(?:class|interface|@interface|record|enum)\\s+\\w.*|static\\s.*|@Test\\b.*)");
  private static final Pattern TYPE =
      Pattern.compile(
          "(?m)^(?:(?:public|final|abstract|sealed)\\s+)*(?:class|interface|record|enum)\\s+(\\w+)");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  /// What a block with a `main` prints.
  record Output(Block block, String text) {}

  /// All examples of that page.
  static List<Example> of(Page page) {
    List<Example> examples = new ArrayList<>();
    Block before = null;
    List<Block> ours =
        page.blocks().stream().filter(block -> !block.theirs() && !block.ofOtherModule()).toList();
    for (Block block : ours) {
      if (block.is("java") && (examples.isEmpty() || !block.continues())) {
        String name = page.path().toString().replaceAll("\\W", "_") + "_" + examples.size();
        examples.add(new Example(name, new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
      }
      if (!examples.isEmpty()) {
        examples.getLast().add(block, before);
      }
      before = block;
    }
    return examples;
  }

  private void add(Block block, @Nullable Block before) {
    if (block.is("java")) {
      blocks.add(block);
    } else if (block.is("text") && before != null && before.is("java")) {
      outputs.add(new Output(before, block.text()));
    }
    if (block.file() != null) {
      resources.add(block);
    }
  }

  String place() {
    return blocks.getFirst().place();
  }

  /// Its files by the names of their classes.
  Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    blocks.stream().filter(Block::isFile).forEach(block -> addFile(block, files));
    List<Block> loose = blocks.stream().filter(block -> !block.isFile()).toList();
    if (!loose.isEmpty()) {
      files.put(packageName + "." + WRAPPER, wrapped(loose));
    }
    return files;
  }

  private void addFile(Block block, Map<String, String> files) {
    boolean named = PACKAGE.matcher(block.text()).find();
    files.put(
        className(block), named ? block.text() : "package " + packageName + "; " + block.text());
  }

  /// The class that this block becomes.
  String className(Block block) {
    if (!block.isFile()) {
      return packageName + "." + WRAPPER;
    }
    Matcher type = TYPE.matcher(block.text());
    if (!type.find()) {
      throw new AssertionError(block.place() + " has imports but no type");
    }
    Matcher own = PACKAGE.matcher(block.text());
    return (own.find() ? own.group(1) : packageName) + "." + type.group(1);
  }

  private String wrapped(List<Block> loose) {
    StringBuilder members = new StringBuilder();
    StringBuilder statements = new StringBuilder();
    for (Block block : loose) {
      boolean inMember = false;
      int depth = 0;
      for (String line : block.lines()) {
        inMember = inMember || depth == 0 && MEMBER.matcher(line).matches();
        (inMember ? members : statements).append(line).append('\n');
        depth += depth(line);
        inMember = inMember && !(depth == 0 && line.matches(".*[};]\\s*$"));
      }
    }
    return "package %s;\n%sclass %s {\n%s\npublic static void main(String[] args) throws Exception {\n%s}\n}\n"
        .formatted(packageName, IMPORTS, WRAPPER, members, statements);
  }

  private static int depth(String line) {
    int depth = 0;
    for (char c : line.toCharArray()) {
      depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
    }
    return depth;
  }
}
