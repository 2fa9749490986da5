import type { BlockWire } from "@/lib/chat/wire/memory";

/** Blocks by kind, each in display order. */
export interface MemoryGroups {
  readonly instructions: readonly BlockWire[];
  readonly blocks: readonly BlockWire[];
  readonly knowledge: readonly BlockWire[];
  readonly skills: readonly BlockWire[];
}

/** Every block is in exactly one group. */
export function memoryGroups(blocks: readonly BlockWire[]): MemoryGroups {
  const groups = Map.groupBy(blocks, groupOf);
  return {
    instructions: groups.get("instructions") ?? [],
    blocks: groups.get("blocks") ?? [],
    knowledge: groups.get("knowledge") ?? [],
    skills: groups.get("skills") ?? [],
  };
}

function groupOf(block: BlockWire): keyof MemoryGroups {
  switch (block.kind) {
    case "searchable":
      return "knowledge";
    case "loadable":
      return "skills";
    case "readonly":
      return "instructions";
    case "writable":
      return block.writers === "person" ? "instructions" : "blocks";
  }
}
