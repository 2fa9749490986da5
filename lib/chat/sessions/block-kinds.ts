import type { ContextEntry } from "grove-session";
import type {
  AnyContextProvider,
  Block,
  BlockRef,
  BlockStore,
  EditableEntries,
} from "grove-session/ports";
import type { BlockKindWire, BlockWire } from "@/lib/chat/wire/memory";

type StoredBlocks = Pick<BlockStore, "text" | "searchable" | "loadable">;

interface KindOfBlock {
  readonly provider: (blocks: StoredBlocks, ref: BlockRef) => AnyContextProvider;
  readonly entries: KindOfEntries | null;
  readonly hasTokenLimit: boolean;
  readonly mcp: { readonly isMemory: boolean; readonly isResource: boolean };
}

interface KindOfEntries {
  readonly stored: (blocks: StoredBlocks, ref: BlockRef) => EditableEntries;
  readonly count: (
    blocks: StoredBlocks,
    ref: BlockRef,
    listing: string | null,
  ) => Promise<number | null>;
  readonly find:
    | ((blocks: StoredBlocks, ref: BlockRef, query: string) => Promise<ContextEntry[]>)
    | null;
  /** Entries are skills: loaded whole into a chat, with files of their own, and never written unasked. */
  readonly load:
    | ((blocks: StoredBlocks, ref: BlockRef, key: string) => Promise<string | null>)
    | null;
}

const text: KindOfBlock = {
  provider: (blocks, ref) => blocks.text(ref),
  entries: null,
  hasTokenLimit: true,
  mcp: { isMemory: true, isResource: true },
};

const mostFound = 100;

export const blockKinds: Readonly<Record<BlockKindWire, KindOfBlock>> = {
  readonly: text,
  writable: text,
  searchable: {
    provider: (blocks, ref) => blocks.searchable(ref),
    entries: {
      stored: (blocks, ref) => blocks.searchable(ref),
      count: (blocks, ref) => blocks.searchable(ref).count(),
      find: (blocks, ref, query) => blocks.searchable(ref).find(query, mostFound),
      load: null,
    },
    hasTokenLimit: false,
    mcp: { isMemory: true, isResource: false },
  },
  loadable: {
    provider: (blocks, ref) => blocks.loadable(ref),
    entries: {
      stored: (blocks, ref) => blocks.loadable(ref),
      // The listing has a line for each skill; asking an external source would read it twice.
      count: async (_, __, listing) => (listing === null ? null : lineCount(listing)),
      find: null,
      load: async (blocks, ref, key) => blocks.loadable(ref).load(key),
    },
    hasTokenLimit: false,
    mcp: { isMemory: false, isResource: false },
  },
};

export function kindOf({ kind, writers }: Pick<Block, "kind" | "writers">): BlockKindWire {
  const isText = blockKinds[kind].entries === null;
  return isText && writers === "person" ? "readonly" : kind;
}

export function isOneText({ kind }: Pick<BlockWire, "kind">): boolean {
  return blockKinds[kind].entries === null;
}

export function holdsSkills({ kind }: Pick<BlockWire, "kind">): boolean {
  return blockKinds[kind].entries?.load != null;
}

function lineCount(listing: string): number {
  return listing === "" ? 0 : listing.split("\n").length;
}
