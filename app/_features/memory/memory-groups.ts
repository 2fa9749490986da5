import type { BlockWire } from "@/lib/chat/wire/memory";

/** The blocks of a session as the memory panel shows them, each kind in the order they come. */
export interface MemoryGroups {
  /** Text only the person writes. */
  readonly instructions: readonly BlockWire[];
  /** Text the model writes too. */
  readonly blocks: readonly BlockWire[];
  /** Entries the model searches. */
  readonly knowledge: readonly BlockWire[];
  /** Documents the model loads. */
  readonly skills: readonly BlockWire[];
}

/** Sorts blocks by what they are for. Every block is in exactly one group. */
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
