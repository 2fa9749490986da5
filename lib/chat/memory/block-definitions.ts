import type { BlockSetup, OwnerData, SourceBlock } from "@/lib/chat/owner-data";
import { BlockNotFoundError } from "@/lib/session";
import { type BlockDefinition, defaultBlocks } from "./default-blocks";

/**
 * The blocks of a session, or with `null` those of every session: the default ones as the owner configured them, then
 * external skills, then custom blocks.
 */
export async function blocksOf(
  owner: Pick<OwnerData, "blocks" | "sourceBlocks">,
  sessionId: string | null,
): Promise<BlockDefinition[]> {
  const setups = await owner.blocks.list(sessionId);
  const given = [...defaultBlocks, ...owner.sourceBlocks.map(sourceDefinition)];
  const labels = new Set(given.map(({ label }) => label));
  const changes = new Map(setups.map((setup) => [setup.label, setup]));
  const own = setups.filter(({ label }) => !labels.has(label));
  // An import may add a session block under the label of an owner's block: the session's wins.
  const nearest = [...new Map(own.map((setup) => [setup.label, setup])).values()];
  return [
    ...given
      .filter(({ scope }) => sessionId !== null || scope === "owner")
      .map((block) => withChanges(block, changes.get(block.label))),
    ...nearest.map(ownDefinition),
  ];
}

/** `null` for any other label. */
export async function findBlock(
  owner: Pick<OwnerData, "blocks" | "sourceBlocks">,
  label: string,
  sessionId: string | null,
): Promise<BlockDefinition | null> {
  const blocks = await blocksOf(owner, sessionId);
  return blocks.find((block) => block.label === label) ?? null;
}

/** @throws {BlockNotFoundError} */
export async function requireBlock(
  owner: Pick<OwnerData, "blocks" | "sourceBlocks">,
  label: string,
  sessionId: string | null,
): Promise<BlockDefinition> {
  const block = await findBlock(owner, label, sessionId);
  if (!block) throw new BlockNotFoundError(label);
  return block;
}

function withChanges(block: BlockDefinition, change: BlockSetup | undefined): BlockDefinition {
  if (!change) return block;
  return {
    ...block,
    description: change.description || block.description,
    maxTokens: block.maxTokens && (change.maxTokens ?? block.maxTokens),
  };
}

function ownDefinition(setup: BlockSetup): BlockDefinition {
  const { id, label, description, writers, maxTokens, sessionId } = setup;
  return {
    label,
    description,
    // A block only the person may edit is read-only to the model.
    kind: setup.kind === "writable" && writers === "person" ? "readonly" : setup.kind,
    scope: sessionId === null ? "owner" : "session",
    writers,
    maxTokens,
    isOwn: true,
    blockId: id,
  };
}

function sourceDefinition({ label, description }: SourceBlock): BlockDefinition {
  const kind = { kind: "loadable", scope: "owner", writers: "nobody" } as const;
  return { label, description, ...kind, maxTokens: null, isOwn: false };
}
