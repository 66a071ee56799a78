package dev.switchboard.config;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reading of `agent.memory`: the blocks that an agent begins with.
final class MemorySection {
  private static final List<String> KINDS =
      Arrays.stream(Block.Kind.values()).map(Block.Kind::word).toList();
  private static final List<String> PERMISSIONS =
      Arrays.stream(Permission.values()).map(Permission::word).toList();

  private MemorySection() {}

  /// The blocks, in their order; those that are faulty left out.
  static List<Block> read(@Nullable Value memory, String agent) {
    List<Block> blocks = new ArrayList<>();
    for (Value.Member member : memory == null ? List.<Value.Member>of() : memory.members()) {
      Section table = member.value().section(Keys.MEMORY);
      Block block = table == null ? null : block(table, agent, member.key());
      if (block != null) {
        blocks.add(block);
      }
    }
    return blocks;
  }

  private static @Nullable Block block(Section table, String agent, String label) {
    String kind = table.word("kind", KINDS);
    String permission = table.word("permission", PERMISSIONS);
    Integer limit = table.whole("char_limit", 1, Block.LARGEST_LIMIT);
    String content = table.text("content");
    String description = table.text("description");
    Boolean pinned = table.optionalFlag("pinned");
    try {
      Block block =
          Block.of(agent, label, kind == null ? Block.Kind.CORE : Block.Kind.of(kind))
              .withValue(content == null ? "" : content)
              .withDescription(description == null ? "" : description)
              .withCharLimit(limit == null ? Block.DEFAULT_LIMIT : limit)
              .withPermission(
                  permission == null ? Permission.READ_WRITE : Permission.of(permission));
      return fitting(table, block.withPinned(pinned == null ? block.isWorking() : pinned));
    } catch (IllegalArgumentException e) {
      table.place().error(FaultClass.BAD_VALUE, table.place().path() + ": " + e.getMessage());
      return null;
    }
  }

  private static @Nullable Block fitting(Section table, Block block) {
    if (block.length() <= block.charLimit()) {
      return block;
    }
    table
        .place()
        .error(
            FaultClass.BAD_VALUE,
            "%s holds %d characters, and its limit is %d"
                .formatted(table.place().path(), block.length(), block.charLimit()));
    return null;
  }
}
