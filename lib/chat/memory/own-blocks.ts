import type { z } from "zod";
import { ChatError } from "@/lib/chat/chat-error";
import { cleanText } from "@/lib/chat/clean-text";
import type { BlockSetup, OwnerData } from "@/lib/chat/owner-data";
import { requireSession } from "@/lib/chat/sessions/transcript";
import type { BlockWire, changeBlockRequest, createBlockRequest } from "@/lib/chat/wire/memory";
import { BlockNotFoundError, BlockTooLargeError } from "@/lib/session";
import { blocksOf, requireBlock } from "./block-definitions";
import { labelProblem } from "./block-label";
import { blockView } from "./context-view";
import { type BlockDefinition, defaultBlocks } from "./default-blocks";

/** More would hide each other in the panel, and fill every prompt. */
const maxOwnBlocks = 50;

/** @throws {ChatError} for a label that is taken or cannot be one. @throws {SessionNotFoundError} */
export async function createBlock(
  owner: OwnerData,
  sessionId: string | null,
  request: z.output<typeof createBlockRequest>,
): Promise<BlockWire> {
  const { label, scope, description, kind, writers, maxTokens } = cleanText(request);
  if (scope === "session" && sessionId === null)
    throw new ChatError("bad-block", "Specify the session this section belongs to.", {
      field: "scope",
    });
  if (sessionId !== null) await requireSession(owner, sessionId);
  assertLabel(owner, label);
  const present = await blocksOf(owner, sessionId);
  if (present.filter(({ isOwn }) => isOwn).length >= maxOwnBlocks) {
    throw new ChatError(
      "too-many-blocks",
      `You already have ${maxOwnBlocks} sections. Delete one first.`,
    );
  }
  const added = await owner.blocks.add({
    label,
    sessionId: scope === "session" ? sessionId : null,
    description,
    kind,
    writers,
    maxTokens: kind === "writable" ? maxTokens : null,
  });
  if (!added) throw taken(label);
  return requireView(owner, label, sessionId);
}

/**
 * Changes what is given about a block. A new label takes its text, its versions and open proposals along.
 *
 * @throws {BlockNotFoundError} @throws {ChatError} @throws {BlockTooLargeError} when its text has more tokens.
 */
export async function changeBlock(
  owner: OwnerData,
  { label, sessionId }: { label: string; sessionId: string | null },
  request: z.output<typeof changeBlockRequest>,
): Promise<BlockWire> {
  const block = await requireBlock(owner, label, sessionId);
  const changes = cleanText(request);
  assertChangeable(block, changes);
  await assertFits(owner, { label, sessionId }, changes.maxTokens);
  const place = placeOf(block, sessionId);
  await owner.blocks.put({
    ...place,
    description: changes.description ?? describedAs(block),
    kind: kindOf(block),
    writers: changes.writers ?? (block.writers === "both" ? "both" : "person"),
    maxTokens: block.maxTokens && (changes.maxTokens ?? block.maxTokens),
  });
  const renamed = changes.label ?? label;
  if (renamed !== label) {
    assertLabel(owner, renamed);
    if (!(await owner.blocks.rename(place, renamed))) throw taken(renamed);
  }
  return requireView(owner, renamed, sessionId);
}

/** Takes a block of one's own away, with its text. @returns what brings it back. @throws {BlockNotFoundError} */
export async function deleteBlock(
  owner: OwnerData,
  { label, sessionId }: { label: string; sessionId: string | null },
): Promise<string> {
  const block = await requireBlock(owner, label, sessionId);
  if (!block.isOwn) throw notYours(label, "it cannot be deleted");
  const deletionId = await owner.blocks.remove(placeOf(block, sessionId));
  if (deletionId === null) throw new BlockNotFoundError(label);
  return deletionId;
}

/** Brings a deleted block back as it was. @throws {ChatError} when it is unknown, or its label taken since. */
export async function restoreBlock(owner: OwnerData, deletionId: string): Promise<BlockWire> {
  const block = await owner.blocks.deleted(deletionId);
  if (!block) throw new ChatError("block-not-found", "This section is not deleted.");
  if (!(await owner.blocks.restore(deletionId, block))) throw taken(block.label);
  return requireView(owner, block.label, block.sessionId);
}

function placeOf({ label, scope, isOwn }: BlockDefinition, sessionId: string | null) {
  // What is changed about a block that everybody has is changed for every session.
  return { label, sessionId: isOwn && scope === "session" ? sessionId : null };
}

/** A description that nobody has changed is not noted, so that it stays Grove's. */
function describedAs({ label, description }: BlockDefinition): string {
  const given = defaultBlocks.find((block) => block.label === label);
  return given?.description === description ? "" : description;
}

function kindOf({ kind, isOwn }: BlockDefinition): BlockSetup["kind"] {
  return isOwn && kind === "readonly" ? "writable" : kind;
}

function assertLabel(owner: OwnerData, label: string): void {
  const problem = labelProblem(label);
  if (problem) throw new ChatError("bad-block", problem, { field: "label" });
  const given = [...defaultBlocks, ...owner.sourceBlocks];
  if (given.some((block) => block.label === label)) throw taken(label);
}

function assertChangeable(
  block: BlockDefinition,
  { label, writers, maxTokens }: z.output<typeof changeBlockRequest>,
): void {
  if (block.writers === "nobody") throw notYours(block.label, "edit its description at its source");
  if (maxTokens !== undefined && block.maxTokens === null) {
    throw new ChatError("bad-block", `“${block.label}” has no token limit to set.`, {
      field: "maxTokens",
    });
  }
  const isRenamed = label !== undefined && label !== block.label;
  const isHandedOver = writers !== undefined && writers !== block.writers;
  if (!block.isOwn && (isRenamed || isHandedOver))
    throw notYours(block.label, "its name and editors cannot change");
}

async function assertFits(
  owner: OwnerData,
  { label, sessionId }: { label: string; sessionId: string | null },
  maxTokens: number | undefined,
): Promise<void> {
  if (maxTokens === undefined) return;
  const tokens = (await blockView(owner, label, sessionId))?.tokens ?? 0;
  if (tokens > maxTokens) throw new BlockTooLargeError(label, tokens, maxTokens);
}

async function requireView(
  owner: OwnerData,
  label: string,
  sessionId: string | null,
): Promise<BlockWire> {
  const block = await blockView(owner, label, sessionId);
  if (!block) throw new BlockNotFoundError(label);
  return block;
}

function taken(label: string): ChatError {
  return new ChatError(
    "block-exists",
    `A section called “${label}” already exists here or in one of your chats. Choose another name.`,
    { field: "label" },
  );
}

function notYours(label: string, why: string): ChatError {
  return new ChatError("bad-block", `“${label}” is built in: ${why}.`, { field: "label" });
}
