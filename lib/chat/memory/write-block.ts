import { cleanText } from "@/lib/chat/clean-text";
import type { OwnerData } from "@/lib/chat/owner-data";
import type { BlockWire } from "@/lib/chat/wire/memory";
import {
  BlockNotFoundError,
  BlockTooLargeError,
  estimateStringTokens,
  type VersionedContextProvider,
} from "@/lib/session";
import { requireBlock } from "./block-definitions";
import { blockView } from "./context-view";

export interface BlockWriteRequest {
  readonly label: string;
  readonly sessionId: string | null;
  readonly content: string;
  readonly expectedVersion?: number | undefined;
}

/**
 * A person writes a block.
 *
 * @throws {BlockNotFoundError} @throws {BlockTooLargeError}
 * @throws {BlockConflictError} when someone else has written since `expectedVersion`.
 */
export async function writeBlock(owner: OwnerData, request: BlockWriteRequest): Promise<BlockWire> {
  const { label, sessionId, expectedVersion } = request;
  const document = await documentOf(owner, label, sessionId);
  const content = cleanText(request.content);
  const { maxTokens } = await requireBlock(owner, label, sessionId);
  const tokens = estimateStringTokens(content);
  if (maxTokens !== null && tokens > maxTokens)
    throw new BlockTooLargeError(label, tokens, maxTokens);
  await document.set(content, {
    provenance: { author: "person", ...(sessionId !== null && { sessionId }) },
    expectedVersion,
  });
  const block = await blockView(owner, label, sessionId);
  if (!block) throw new BlockNotFoundError(label);
  return block;
}

/** The document behind a plain block. @throws {BlockNotFoundError} for keyed ones and unknown labels. */
export async function documentOf(
  owner: OwnerData,
  label: string,
  sessionId: string | null,
): Promise<VersionedContextProvider> {
  const { kind, scope, blockId } = await requireBlock(owner, label, sessionId);
  if (kind !== "readonly" && kind !== "writable") throw new BlockNotFoundError(label);
  if (scope === "owner") return owner.block(label, { blockId });
  if (sessionId === null) throw new BlockNotFoundError(label);
  return owner.sessionBlock(label, sessionId, { blockId });
}
