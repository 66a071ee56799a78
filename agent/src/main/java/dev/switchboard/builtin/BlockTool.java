package dev.switchboard.builtin;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Block.Permission.Access;
import dev.switchboard.memory.Block.Permission.Verdict;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.Memory.View;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The tool `block`: the agent reads and changes the blocks of its memory.
final class BlockTool {
  private static final String NAME = "block";
  private static final String PARAMETERS =
      """
      {"type":"object","additionalProperties":false,"required":["operation"],"properties":{
        "operation":{"enum":["read","append","replace","archive","swap","load","pin","unpin","info","create"],
          "description":"read: its text, of an archived block too. append: content at the end, as it is, so begin a new line yourself. replace: old by new. archive: out of the prompt. load: back into it. swap: both at once. pin, unpin: keep a working block in the prompt or not. info: its facts. create: a new block"},
        "label":{"type":"string","description":"The block, for all but swap"},
        "content":{"type":"string","description":"For append and create"},
        "old":{"type":"string","description":"For replace: text that stands in the block once"},
        "new":{"type":"string","description":"For replace: what takes its place"},
        "all":{"type":"boolean","description":"For replace: wherever it stands"},
        "description":{"type":"string","description":"For create: what the block is for"},
        "char_limit":{"type":"integer","minimum":1,"maximum":%d,"description":"For create"},
        "permission":{"enum":["read_only","partner","human","append","read_write","admin"],
          "description":"For create"},
        "archive_label":{"type":"string","description":"For swap: the block to archive"},
        "load_label":{"type":"string","description":"For swap: the block to load"}}}\
      """
          .formatted(Block.LARGEST_LIMIT);

  private BlockTool() {}

  static Tool tool() {
    return Tool.dynamic(NAME, PARAMETERS)
        .description("Your memory blocks, which are part of your prompt: change and arrange them.")
        .mode(ToolMode.SAFE_WRITE)
        .retry(RetryPolicy.NONE)
        .operationKey("operation")
        .asksWhen((arguments, services) -> askReason(services.memory(), arguments))
        .answeredBy(new Handler());
  }

  private static final class Handler implements ToolHandler {
    @Override
    public void check(Arguments arguments) {
      BlockCall call = BlockCall.of(arguments.json());
      call.requireMembers();
    }

    @Override
    public Object handle(Arguments arguments, ToolContext context) {
      Memory memory = context.services().memory().ofCall(context.idempotencyKey());
      BlockCall call = BlockCall.of(arguments.json());
      try {
        return answer(memory, call);
      } catch (MemoryException e) {
        throw call.refused(e);
      }
    }
  }

  /// Why the call needs a person's consent; null if not, or if it cannot succeed and the tool
  /// refuses it.
  private static @Nullable String askReason(Memory memory, Json arguments) {
    BlockCall call = BlockCall.of(arguments);
    try {
      String reason = askReason(memory, call);
      return reason == null || !succeeds(memory, call) ? null : reason;
    } catch (ToolException e) {
      return null;
    }
  }

  /// The reason of the first block that has one.
  private static @Nullable String askReason(Memory memory, BlockCall call) {
    for (String label : call.touched()) {
      View view = known(memory, label);
      if (view != null && view.permission().verdict(access(memory, call, view)) == Verdict.ASK) {
        return "Block '%s' is changed only if the %s agrees."
            .formatted(label, view.permission() == Permission.PARTNER ? "partner" : "person");
      }
    }
    return null;
  }

  /// The block; null if there is none, which the operation itself reports.
  private static @Nullable View known(Memory memory, String label) {
    try {
      return memory.block(label);
    } catch (MemoryException e) {
      if (e.kind() == MemoryException.Kind.NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }

  /// Whether the call succeeds in a copy of the blocks that it concerns.
  ///
  /// @throws ToolException when it is incomplete
  private static boolean succeeds(Memory memory, BlockCall call) {
    MemoryStore copy = new InProcessMemory();
    for (String label : call.touched()) {
      View view = known(memory, label);
      if (view != null) {
        copy(view, memory.owner(), copy);
      }
    }
    try {
      Block unused = run(Memory.of(copy, memory.owner(), Time.SYSTEM), call);
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  private static void copy(View view, String agent, MemoryStore copy) {
    Block block = view.block();
    boolean unused = copy.apply(List.of(new MemoryStore.Change(null, block, null)));
    if (!block.agent().equals(agent)) {
      copy.share(new MemoryStore.Share(block.agent(), block.label(), agent, view.permission()));
    }
  }

  /// The access that the call needs: moving another agent's block changes that agent's prompt.
  private static Access access(Memory memory, BlockCall call, View view) {
    boolean ofAnother = !view.block().agent().equals(memory.owner());
    return call.moves() && ofAnother ? Access.OVERWRITE : call.access();
  }

  private static Json answer(Memory memory, BlockCall call) {
    Block block = run(memory, call);
    ObjectNode out =
        Codec.object()
            .put("label", block.label())
            .put("version", block.version())
            .put("length", block.length())
            .put("limit", block.charLimit());
    return Json.of(call.operation().equals("read") ? out.put("value", block.value()) : out);
  }

  private static Block run(Memory memory, BlockCall call) {
    return switch (call.operation()) {
      case "append" -> memory.append(call.label(), call.content());
      case "replace" -> memory.replace(call.label(), call.old(), call.with(), call.all());
      case "archive" -> memory.archive(call.label());
      case "load" -> memory.load(call.label());
      case "swap" -> memory.swap(call.text("archive_label"), call.text("load_label"));
      case "pin" -> memory.pin(call.label(), true);
      case "unpin" -> memory.pin(call.label(), false);
      case "read", "info" -> memory.block(call.label()).block();
      case "create" -> memory.create(created(memory, call));
      default -> throw ToolException.invalidArgument("operation", "it is not known");
    };
  }

  private static Block created(Memory memory, BlockCall call) {
    try {
      return Block.of(memory.owner(), call.label(), Block.Kind.WORKING)
          .withPinned(true)
          .withValue(call.optional("content", ""))
          .withDescription(call.optional("description", ""))
          .withCharLimit(call.limit())
          .withPermission(Permission.of(call.optional("permission", "read_write")));
    } catch (IllegalArgumentException e) {
      String fault = String.valueOf(e.getMessage());
      String sentence = Character.toUpperCase(fault.charAt(0)) + fault.substring(1) + ".";
      throw new MemoryException(MemoryException.Kind.INVALID, sentence);
    }
  }
}
