import type { ReactNode } from "react";
import type { BlockKindWire, BlockWire, CreateBlockRequest } from "@/lib/chat/wire/memory";
import { type AddingProps, KnowledgeAdding, SkillAdding } from "./entry-adding";

type MemoryGroup = "instructions" | "blocks" | "knowledge" | "skills";

interface ShownKind {
  readonly group: MemoryGroup;
  readonly hasTokenLimit: boolean;
  /** `null` where a block is one text. */
  readonly entries: ShownEntries | null;
}

export interface ShownEntries {
  readonly noun: string;
  readonly about: string;
  readonly none: string;
  readonly titleLabel: string;
  readonly contentLabel: string;
  readonly descriptionHint: string | null;
  readonly isLoadable: boolean;
  readonly Adding: (props: AddingProps) => ReactNode;
}

export const shownKinds: Readonly<Record<BlockKindWire, ShownKind>> = {
  readonly: { group: "instructions", hasTokenLimit: true, entries: null },
  writable: { group: "blocks", hasTokenLimit: true, entries: null },
  searchable: {
    group: "knowledge",
    hasTokenLimit: false,
    entries: {
      noun: "knowledge",
      about: "The model can search and quote this text.",
      none: "Nothing here yet. Add notes or files for the model to search.",
      titleLabel: "Title",
      contentLabel: "Text",
      descriptionHint: null,
      isLoadable: false,
      Adding: KnowledgeAdding,
    },
  },
  loadable: {
    group: "skills",
    hasTokenLimit: false,
    entries: {
      noun: "skill",
      about: "The model sees the name and description, and loads the instructions when needed.",
      none: "No skills yet. Add instructions the model can load when needed.",
      titleLabel: "Name",
      contentLabel: "Instructions",
      descriptionHint: "When should the model use it?",
      isLoadable: true,
      Adding: SkillAdding,
    },
  },
};

export type NewKind = NonNullable<CreateBlockRequest["kind"]>;

export const newKinds: Readonly<
  Record<NewKind, { readonly label: string; readonly note: string }>
> = {
  writable: { label: "Text", note: "Always included in the prompt. Keep it short." },
  searchable: { label: "Entries", note: "Searched by the model when needed." },
};

export function newKindOf(kind: BlockKindWire | undefined): NewKind {
  return kind !== undefined && kind in newKinds ? (kind as NewKind) : "writable";
}

type MemoryGroups = Readonly<Record<MemoryGroup, readonly BlockWire[]>>;

export function memoryGroups(blocks: readonly BlockWire[]): MemoryGroups {
  const groups = Map.groupBy(blocks, groupOf);
  return {
    instructions: groups.get("instructions") ?? [],
    blocks: groups.get("blocks") ?? [],
    knowledge: groups.get("knowledge") ?? [],
    skills: groups.get("skills") ?? [],
  };
}

function groupOf({ kind, writers }: BlockWire): MemoryGroup {
  const { group } = shownKinds[kind];
  return group === "blocks" && writers === "person" ? "instructions" : group;
}
