import { BlockNotFoundError } from "grove-session";
import type {
  AnyContextProvider,
  Block,
  BlockRef,
  EditableEntries,
  NewBlock,
} from "grove-session/ports";
import type { OwnerData, SourceBlock } from "@/lib/chat/core/owner-data";
import { assistantsLabel } from "@/lib/chat/wire/assistants";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type { BlockKindWire, BlockWritersWire } from "@/lib/chat/wire/memory";
import { isTemporaryId, takesMemoryAlong } from "@/lib/chat/wire/temporary-id";
import { blockKinds, kindOf } from "./block-kinds";

export interface BlockDefinition {
  readonly id: string;
  readonly label: string;
  /** Text models get: `note`, or else Grove's own words. */
  readonly description: string;
  readonly note: string;
  readonly kind: BlockKindWire;
  readonly scope: "owner" | "session";
  readonly writers: BlockWritersWire;
  readonly maxTokens: number | null;
  readonly isOwn: boolean;
  readonly sessionId: string | null;
  readonly source: SourceBlock | null;
  readonly initial?: string;
}

const defaultInstructions = `You are a helpful assistant in Grove, a chat in which every conversation is a tree and every memory is a document the person owns.

Answer clearly and to the point, in the language you are spoken to in. When you are unsure, say so.`;

type DefaultBlock = Pick<NewBlock, "label" | "description" | "maxTokens" | "kind" | "scope"> &
  Partial<Pick<NewBlock, "writers">> &
  Pick<BlockDefinition, "initial">;

const defaultBlocks: readonly DefaultBlock[] = [
  {
    label: "soul",
    description: "Instructions",
    kind: "writable",
    scope: "owner",
    writers: "person",
    maxTokens: null,
    initial: defaultInstructions,
  },
  {
    label: "memory",
    description: "Facts worth remembering about the person, in every chat. Keep it up to date",
    kind: "writable",
    scope: "owner",
    maxTokens: 1_100,
  },
  {
    label: "todos",
    description: "Open and finished tasks of this chat. Keep it up to date",
    kind: "writable",
    scope: "session",
    maxTokens: 2_000,
  },
  {
    label: "knowledge",
    description: "Collected texts to search before answering from memory",
    kind: "searchable",
    scope: "owner",
    maxTokens: null,
  },
  {
    label: "skills",
    description:
      "Instructions to load when a task calls for them. A file named in a skill loads as <key>/<file>",
    kind: "loadable",
    scope: "owner",
    maxTokens: null,
  },
];

/** No chat has it among its blocks: an assistant is read where it is chosen. */
const assistants: DefaultBlock = {
  label: assistantsLabel,
  description: "How to answer, where the person chose it",
  kind: "loadable",
  scope: "owner",
  writers: "person",
  maxTokens: null,
};

/** Tools search the text of its files. It is made for the first file. */
const files: DefaultBlock = {
  label: filesLabel,
  description: "Files the model searches when relevant",
  kind: "searchable",
  scope: "owner",
  writers: "person",
  maxTokens: null,
};

const ownBlocks = [...defaultBlocks, assistants];

type BlockOwner = Pick<OwnerData, "blocks" | "sourceBlocks">;

/** Grove's blocks of every session, external skills, then the owner's own. */
export async function blocksOf(
  owner: BlockOwner,
  sessionId: string | null,
  read?: readonly Block[],
): Promise<BlockDefinition[]> {
  const blocks = await withOwnBlocks(owner, sessionId, read);
  const given = defaultBlocks.flatMap((built) => {
    const block = blocks.find((each) => isDefault(each, built));
    return block && (sessionId !== null || block.scope === "owner")
      ? [definitionOf(block, built)]
      : [];
  });
  // An import may add a block under Grove's own label, which it must not replace.
  const own = blocks
    .filter(({ origin, label }) => origin === "person" && !isReserved(owner, label))
    .map((block) => definitionOf(block));
  // An import may add a session block under an owner's label: the session's wins.
  const nearest = [...new Map(own.map((block) => [block.label, block])).values()];
  const all = [...given, ...owner.sourceBlocks.map(sourceDefinition), ...nearest];
  const isApart = sessionId !== null && isTemporaryId(sessionId) && !takesMemoryAlong(sessionId);
  return isApart ? all.filter(isImpersonal) : all;
}

/** Memory and knowledge stay out of a temporary chat. */
function isImpersonal({ scope, source, isOwn, label }: BlockDefinition): boolean {
  return scope === "session" || source !== null || (!isOwn && ["soul", "skills"].includes(label));
}

/** `null` knows all. */
export function knownBlocks<Known extends Pick<BlockDefinition, "id" | "scope">>(
  blocks: readonly Known[],
  ids: readonly string[] | null,
): Known[] {
  return blocks.filter(({ id, scope }) => ids === null || scope === "session" || ids.includes(id));
}

export async function requireBlock(
  owner: BlockOwner,
  blockId: string,
  sessionId: string | null,
): Promise<BlockDefinition> {
  if (blockId === assistantsLabel) return assistantsBlock(owner);
  if (blockId === filesLabel) return blockApart(owner, files);
  const block = (await blocksOf(owner, sessionId)).find(({ id }) => id === blockId);
  if (!block) throw new BlockNotFoundError(blockId);
  return block;
}

export function assistantsBlock(owner: Pick<BlockOwner, "blocks">): Promise<BlockDefinition> {
  return blockApart(owner, assistants);
}

async function blockApart(
  owner: Pick<BlockOwner, "blocks">,
  built: DefaultBlock,
): Promise<BlockDefinition> {
  const find = (blocks: readonly Block[]) => blocks.find((each) => isDefault(each, built));
  const present = find(await withOwnBlocks(owner, null));
  if (present) return definitionOf(present, built);
  await owner.blocks.ensure([newBlock(built)]);
  const made = find(await owner.blocks.list(null));
  if (!made) throw new BlockNotFoundError(built.label);
  return definitionOf(made, built);
}

export function hasFilesBlock(blocks: readonly Block[]): boolean {
  return blocks.some((block) => isDefault(block, files));
}

async function withOwnBlocks(
  { blocks }: Pick<BlockOwner, "blocks">,
  sessionId: string | null,
  read?: readonly Block[],
): Promise<readonly Block[]> {
  const present = read ?? (await blocks.list(sessionId));
  const missing = ownBlocks.filter((own) => !present.some((block) => isDefault(block, own)));
  if (missing.length === 0) return present;
  await blocks.ensure(missing.map(newBlock));
  return blocks.list(sessionId);
}

export function refOf(
  { id, label, scope }: Pick<BlockDefinition, "id" | "label" | "scope">,
  sessionId: string | null,
): BlockRef {
  return { blockId: id, label, sessionId: scope === "session" ? sessionId : null };
}

export function providerOf(
  owner: OwnerData,
  block: BlockDefinition,
  sessionId: string | null,
): AnyContextProvider {
  const source = block.source?.source;
  // External skills are written at their source.
  if (source) return { get: () => source.get(), load: (key: string) => source.load(key) };
  return blockKinds[block.kind].provider(owner.blocks, refOf(block, sessionId));
}

export function entriesOf(
  owner: OwnerData,
  block: BlockDefinition,
  sessionId: string | null,
): EditableEntries {
  const { entries } = blockKinds[block.kind];
  if (!entries) throw new BlockNotFoundError(block.label);
  return entries.stored(owner.blocks, refOf(block, sessionId));
}

export function isReserved(owner: Pick<BlockOwner, "sourceBlocks">, label: string): boolean {
  return [...defaultBlocks, ...owner.sourceBlocks].some((block) => block.label === label);
}

function newBlock({ label, kind, scope, writers = "both" }: DefaultBlock): NewBlock {
  return { label, kind, scope, writers, sessionId: null, description: "", maxTokens: null };
}

function isDefault(block: Block, { label, scope }: Pick<Block, "label" | "scope">): boolean {
  return block.origin === "app" && block.label === label && block.scope === scope;
}

function definitionOf(block: Block, built?: DefaultBlock): BlockDefinition {
  const { id, label, scope, writers, sessionId } = block;
  return {
    id,
    label,
    scope,
    writers,
    sessionId,
    description: block.description || (built?.description ?? ""),
    note: block.description,
    kind: kindOf(block),
    maxTokens: built ? built.maxTokens && (block.maxTokens ?? built.maxTokens) : block.maxTokens,
    isOwn: built === undefined,
    source: null,
    ...(built?.initial !== undefined && { initial: built.initial }),
  };
}

function sourceDefinition(source: SourceBlock): BlockDefinition {
  const { label, description } = source;
  const kind = { kind: "loadable", scope: "owner", writers: "nobody" } as const;
  const place = { id: label, sessionId: null, maxTokens: null, isOwn: false };
  return { ...place, ...kind, label, description, note: "", source };
}

const wellFormedLabel = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-_][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u;

/** A label is upper-cased in the prompt and must survive the way back. */
export function labelProblem(label: string): string | null {
  if (label === "") return "Enter a name.";
  const folded = label.normalize("NFC").toUpperCase().toLowerCase();
  if (label === folded && wellFormedLabel.test(label)) return null;
  return "A block's name is small letters and digits, with single hyphens between words.";
}
